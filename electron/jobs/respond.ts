import type { Json } from "../../shared/json";
import type { JobResult } from "../../shared/task";
import type { Job } from "../engine/job";
import { chooseModel } from "./choose-model";
import { parseRespondInput } from "./respond-input";

/** Continues a conversation: what LMSP calls a response, and MCP's tool `generate`. */
export const respond: Job = {
  name: "respond",
  async run(context) {
    const { messages, options } = parseRespondInput(context.input);
    await chooseModel(context);
    const result = await context.write((generate) => generate(messages, options));
    if (options.format.type !== "json_schema" || result.finish !== "completed") return result;
    const data = jsonOf(result);
    return data === undefined ? result : { ...result, data };
  },
};

/** The message read as JSON; undefined when a stop string cut it where it is none. */
function jsonOf({ items }: JobResult): Json | undefined {
  const text = items.flatMap((item) => (item.type === "message" ? [item.text] : [])).join("");
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
