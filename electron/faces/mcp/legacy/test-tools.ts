import { z } from "zod";
import type { Json } from "../../../../shared/json";
import type { QuestionBody } from "../../../../shared/question";
import type { Job } from "../../../engine/job";
import type { TaskTool } from "../../../engine/tool";
import { countTool, echoTool } from "../tools/test-tools";

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false };
const asks = z.strictObject({ questions: z.array(z.unknown()).min(1), to: z.enum(["anyone", "person"]).optional() });

/** Asks its questions, all at once, and returns what was answered. */
const askJob: Job = {
  name: "ask",
  async run(context) {
    const { questions, to } = asks.parse(context.input);
    const answers = await Promise.all(
      questions.map((body, index) => context.ask(String(index), body as QuestionBody, to)),
    );
    const data = { answers: answers as unknown as Json };
    return { items: [], finish: "completed", usage: { inputTokens: 0, outputTokens: 0 }, data };
  },
};

const askTool: TaskTool = {
  kind: "task",
  name: "ask",
  title: "Ask",
  description: "Asks what it is told to ask.",
  taskSupport: "optional",
  job: askJob.name,
  annotations,
  input: asks,
  draft: (args) => ({ title: "Ask", input: args as Json, model: null, unnamedModel: "none" }),
};

const faultyJob: Job = {
  name: "faulty",
  run: () => Promise.reject(new Error("the inner reason")),
};

/** Fails by a fault of ours. */
export const faultyTool: TaskTool = { ...askTool, name: "faulty", job: faultyJob.name, input: z.strictObject({}) };

const longTool: TaskTool = { ...echoTool, name: "long_echo", title: "Long echo", taskSupport: "required" };

/** For tests: a tool of every kind. */
export const testTools = [echoTool, longTool, countTool, askTool];
export const testJobs = [askJob, faultyJob];
