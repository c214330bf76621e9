import type { NewTask } from "../../../shared/desktop/contract";
import type { IconName } from "../../ui/icon";

export interface Sample {
  readonly icon: IconName;
  readonly shows: string;
  readonly task: NewTask;
}

/** What the built-in model does well; for a long text it needs some freedom, or it repeats itself. */
export const samples: readonly Sample[] = [
  {
    icon: "story",
    shows: "A short text that appears as it is written",
    task: { prompt: "Write a story about a kite.", temperature: 0.7 },
  },
  {
    icon: "text",
    shows: "A long text, long enough to be cancelled on the way",
    task: { prompt: "Write a long report about bicycles.", temperature: 0.7 },
  },
  {
    icon: "list",
    shows: "The same answer every time, for it takes the likeliest words",
    task: { prompt: "Explain how to make tea.", temperature: 0 },
  },
];
