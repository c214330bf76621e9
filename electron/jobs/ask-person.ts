import { z } from "zod";
import { type FormSchema, formSchema } from "../../shared/form-schema";
import type { Json } from "../../shared/json";
import { titleOf } from "../../shared/message";
import type { Answer } from "../../shared/question";
import type { Job } from "../engine/job";
import type { TaskTool } from "../engine/tool";
import { text } from "./writing-arguments";

const input = z.strictObject({
  question: text
    .min(1)
    .describe("What the person is asked, in full: they see nothing else of the conversation. Plain text."),
  schema: formSchema
    .optional()
    .describe(
      'The form to fill in: a JSON schema of the kind that MCP uses for elicitation, {"type": "object", "properties": {...}, "required": [...]}, whose properties are strings, numbers, booleans and choices, not nested. Without one there is one field for free text, `answer`.',
    ),
});

const output = z.strictObject({
  action: z
    .enum(["accept", "decline", "cancel"])
    .describe("`accept`: answered; `decline`: the person refused; `cancel`: dismissed without an answer."),
  content: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
    .optional()
    .describe("The form as filled in; only when it was answered."),
});

const freeText: FormSchema = {
  type: "object",
  properties: { answer: { type: "string", title: "Answer" } },
  required: ["answer"],
};

/** Puts a question to the person at this desktop, never to the caller, and returns what they said. */
export const askPersonJob: Job = {
  name: "ask_person",
  async run(context) {
    const { question, schema = freeText } = input.parse(context.input);
    const answer = await context.ask("question", { type: "form", message: question, schema }, "person");
    return { items: [], finish: "completed", usage: { inputTokens: 0, outputTokens: 0 }, data: dataOf(answer) };
  },
};

export const askPerson: TaskTool = {
  kind: "task",
  name: "ask_person",
  title: "Ask the person at this computer",
  description: [
    "Shows a question in the window of Simmer on this computer and waits until the person there answers, which may take long.",
    "Use it when only this person can decide or know something.",
    "Do not use it to talk to the user of this conversation, who may be somebody else: ask them directly. Never ask for passwords or other secrets.",
    "Fails at once when no window is open.",
  ].join(" "),
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  taskSupport: "optional",
  job: askPersonJob.name,
  draft(args) {
    const asked = input.parse(args);
    return {
      title: titleOf([{ role: "user", text: asked.question }]),
      // All of it came out of a JSON body.
      input: asked as unknown as Json,
      model: null,
      unnamedModel: "none",
    };
  },
};

function dataOf(answer: Answer): Json {
  return answer.action === "accept" ? { action: answer.action, content: answer.content } : { action: answer.action };
}
