import type { Tool } from "../engine/tool";
import { askPerson } from "./ask-person";
import { batch } from "./batch";
import { generate } from "./generate";
import { listModels } from "./list-models";
import { summarize } from "./summarize";

/** What an agent can call. A new tool is a file beside this one and a line here. */
export const tools: readonly Tool[] = [generate, summarize, batch, listModels, askPerson];
