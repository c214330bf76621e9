import type { Job } from "../engine/job";
import { askPersonJob } from "./ask-person";
import { batchJob } from "./batch";
import { refuseJob } from "./refuse";
import { respond } from "./respond";
import { summarizeJob } from "./summarize";

/** What a task can be. A new job is a file beside this one and a line here. */
export const jobs: readonly Job[] = [respond, summarizeJob, batchJob, askPersonJob, refuseJob];
