import { homedir } from "node:os";
import { join } from "node:path";

const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");

/** A path for what is made once and kept outside the project. */
export const inCache = (name) => join(cache, "simmer", name);
