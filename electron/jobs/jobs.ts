import type { Job } from "../engine/job";
import { respond } from "./respond";

/** What a task can be. A new job is a file beside this one and a line here. */
export const jobs: readonly Job[] = [respond];
