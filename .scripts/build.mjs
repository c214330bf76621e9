import { build } from "./built.mjs";

await build();
