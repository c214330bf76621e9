import { z } from "zod";
import { Gate } from "../../electron/backend/scripted/gate";
import type { Job, JobContext } from "../../electron/engine/job";
import type { QuickTool, TaskTool, Tool } from "../../electron/engine/tool";
import type { Json } from "../../shared/json";
import { ProblemError } from "../../shared/problem";
import type { JobResult } from "../../shared/task";

/** What the tools of these tests do when, and how often they were run. */
export class Desk {
  readonly tools: readonly Tool[] = testTools(this);
  readonly jobs: readonly Job[] = testJobs(this);
  readonly #gates = new Map<string, Gate>();
  readonly #runs = new Map<string, number>();

  /** Lets what waits under this label go on, `passes` times. */
  open(label: string, passes = 1): void {
    this.#gate(label).open(passes);
  }

  /** How often a tool was run under this label. */
  runs(label: string): number {
    return this.#runs.get(label) ?? 0;
  }

  note(label: string): void {
    this.#runs.set(label, this.runs(label) + 1);
  }

  pass(label: string, signal: AbortSignal): Promise<void> {
    return this.#gate(label).pass(signal);
  }

  #gate(label: string): Gate {
    const gate = this.#gates.get(label) ?? new Gate();
    this.#gates.set(label, gate);
    return gate;
  }
}

const label = z.string().min(1);
const holdInput = z.strictObject({ label });
const countInput = z.strictObject({ label, total: z.int().min(1) });
const askInput = z.strictObject({ label, questions: z.int().min(1).default(1) });
const problemInput = z.strictObject({ detail: z.string().min(1) });
const sampleInput = z.strictObject({ prompt: z.string().min(1) });

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false };

function testTools(desk: Desk): readonly Tool[] {
  return [
    taskTool("hold", "Waits for the test, then says its label.", holdInput),
    { ...taskTool("hold_required", "As hold, but never without a task.", holdInput, "hold"), taskSupport: "required" },
    taskTool("count", "Counts to a total, each time that the test says so.", countInput),
    taskTool("ask", "Asks as many questions at once, then says the answers.", askInput),
    taskTool("sample", "Asks the caller's own model.", sampleInput),
    taskTool("roots", "Asks for the caller's folders.", z.strictObject({})),
    taskTool("problem", "Fails, as expected.", problemInput),
    taskTool("bug", "Fails by a fault of its own.", z.strictObject({})),
    peek(desk),
  ];
}

function taskTool(name: string, description: string, input: z.ZodObject, job = name): TaskTool {
  return {
    kind: "task",
    name,
    title: name,
    description,
    input,
    annotations,
    taskSupport: "optional",
    job,
    // What was checked is JSON: it came as JSON.
    draft: (args) => ({ title: name, input: args as { [key: string]: Json }, model: null, unnamedModel: "none" }),
  };
}

function peek(desk: Desk): QuickTool {
  return {
    kind: "quick",
    name: "peek",
    title: "peek",
    description: "Answers at once and is never a task.",
    input: holdInput,
    annotations,
    answer: async (args) => {
      const input = holdInput.parse(args);
      desk.note(input.label);
      return input;
    },
  };
}

function testJobs(desk: Desk): readonly Job[] {
  return [
    job("hold", async ({ input, signal }) => {
      const { label } = holdInput.parse(input);
      desk.note(label);
      await desk.pass(label, signal);
      return label;
    }),
    job("count", async (context) => {
      const { label, total } = countInput.parse(context.input);
      for (let done = 1; done <= total; done += 1) {
        await desk.pass(label, context.signal);
        context.progress(done, total, `${done} of ${total}`);
      }
      await desk.pass(label, context.signal);
      return "counted";
    }),
    job("ask", async (context) => {
      const { label, questions } = askInput.parse(context.input);
      const answers = await Promise.all(Array.from({ length: questions }, (_, index) => ask(context, label, index)));
      desk.note(label);
      await desk.pass(label, context.signal);
      return JSON.stringify(answers);
    }),
    job("sample", async (context) => {
      const { prompt } = sampleInput.parse(context.input);
      const messages = [{ role: "user", content: { type: "text", text: prompt } }];
      return JSON.stringify(await context.ask("sample", { type: "sampling", request: { messages, maxTokens: 100 } }));
    }),
    job("roots", async (context) => JSON.stringify(await context.ask("roots", { type: "roots" }))),
    job("problem", async ({ input }) => {
      throw new ProblemError("model_load_failed", problemInput.parse(input).detail);
    }),
    job("bug", async () => {
      throw new Error("the inner reason");
    }),
  ];
}

function ask(context: JobContext, label: string, index: number) {
  return context.ask(`question-${index}`, {
    type: "form",
    message: `${label} ${index}`,
    schema: { type: "object", properties: { name: { type: "string", minLength: 1 } }, required: ["name"] },
  });
}

/** A job whose result is a text, or whatever it throws. */
function job(name: string, run: (context: JobContext) => Promise<string>): Job {
  return { name, run: async (context) => written(await run(context)) };
}

function written(text: string): JobResult {
  return {
    items: [{ id: "msg_test", type: "message", text }],
    finish: "completed",
    usage: { inputTokens: 0, outputTokens: 0 },
  };
}
