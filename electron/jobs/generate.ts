import { z } from "zod";
import type { Json } from "../../shared/json";
import { type Message, titleOf } from "../../shared/message";
import type { TaskTool } from "../engine/tool";
import { respond } from "./respond";
import { text, writingArguments, writingOptions } from "./writing-arguments";

// That it is one of the two is said in words: many hosts refuse a tool whose schema begins with `oneOf`.
const input = z
  .strictObject({
    prompt: text
      .min(1)
      .optional()
      .describe("What to write, as one text. Give either this or `messages`, never both and never neither."),
    messages: z
      .array(
        z.strictObject({
          role: z.enum(["system", "user", "assistant"]).describe("Who says it; `assistant` is the model itself."),
          content: text.min(1).describe("What is said."),
        }),
      )
      .min(1)
      .optional()
      .describe("A conversation to continue, oldest turn first, instead of `prompt`."),
    ...writingArguments,
  })
  .refine(({ prompt, messages }) => (prompt === undefined) !== (messages === undefined), {
    error: "give exactly one of `prompt` and `messages`",
  });

export const generate: TaskTool = {
  kind: "task",
  name: "generate",
  title: "Write with a local model",
  description: [
    "Writes a text with a language model that runs on this computer: private, free of charge and offline, but often slow and less able than a large hosted model.",
    "Use it for text that should not leave this computer, for long writing in the background, or when the user asks for the local model.",
    "Returns the text, and the parsed JSON too when json_schema is given.",
    "For one question about many inputs use batch; for a text longer than the model's context use summarize.",
  ].join(" "),
  input,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  taskSupport: "optional",
  job: respond.name,
  draft(args) {
    const request = input.parse(args);
    const messages = messagesOf(request);
    return {
      title: titleOf(messages),
      // All of it came out of a JSON body.
      input: { messages, options: writingOptions(request) } as unknown as Json,
      model: request.model ?? null,
      unnamedModel: "ask",
    };
  },
};

function messagesOf({ prompt, messages = [], system }: z.output<typeof input>): Message[] {
  const turns = messages.map(({ role, content }) => ({ role, text: content }));
  if (prompt !== undefined) turns.push({ role: "user", text: prompt });
  return system ? [{ role: "system", text: system }, ...turns] : turns;
}
