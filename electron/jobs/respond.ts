import type { Job } from "../engine/job";
import { parseRespondInput } from "./respond-input";

/** Continues a conversation: what LMSP calls a response. */
export const respond: Job = {
  name: "respond",
  run(context) {
    const { messages, options } = parseRespondInput(context.input);
    return context.write(context.generate(messages, options));
  },
};
