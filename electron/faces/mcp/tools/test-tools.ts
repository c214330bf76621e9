import { z } from "zod";
import type { QuickTool, TaskTool } from "../../../engine/tool";

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false };

/** The model writes; asks for nothing else. */
export const echoTool: TaskTool = {
  kind: "task",
  name: "echo",
  title: "Echo",
  description: "Writes what the model says to a prompt.",
  taskSupport: "optional",
  job: "respond",
  annotations,
  input: z.strictObject({ prompt: z.string().min(1), model: z.string().optional() }),
  draft: ({ prompt, model }) => ({
    title: String(prompt),
    input: { messages: [{ role: "user", text: String(prompt) }], options: { stop: [], format: { type: "text" } } },
    model: typeof model === "string" ? model : null,
    unnamedModel: "refuse",
  }),
};

export const countTool: QuickTool = {
  kind: "quick",
  name: "count_models",
  title: "Count the models",
  description: "Tells how many models there are.",
  annotations,
  input: z.strictObject({}),
  output: z.object({ count: z.int() }),
  answer: async (_args, { models }) => ({ count: (await models()).length }),
};
