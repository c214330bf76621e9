import { z } from "zod";
import type { ModernClient } from "../../mcp/modern-client";
import { relatedTaskOf } from "../../mcp/wire";
import type { PlannedTask, Work } from "../plan/planned-task";
import type { SeenTask } from "../record/recorder";
import { cancel } from "./cancel";
import { followAll } from "./follow";
import type { Stage } from "./stage";

type Call = Exclude<Work, { kind: "plain" }>;

/** Calls the tool as a task, once, and goes on with it in every later life of the host. */
export async function playMcp(stage: Stage, plan: PlannedTask, work: Call, isRepeat: boolean): Promise<void> {
  if (!isRepeat) await create(stage, plan, work);
  const task = stage.recorder.taskOf(plan);
  if (task === undefined) return;
  if (work.kind === "text") await followAll(stage, task);
  if (work.kind === "batch") await outcome(stage, task);
  if (work.kind === "person") await (work.answer === "none" ? leaveOpen(stage, task) : outcome(stage, task));
  if (work.kind === "model") await (work.answer === null ? leaveOpen(stage, task) : answered(stage, task, work.answer));
}

async function create(stage: Stage, plan: PlannedTask, work: Call): Promise<void> {
  stage.recorder.happened("create sent");
  const id = await stage.tried(`the call of ${plan.key}`, async () => {
    const client = plan.face === "legacy" ? await stage.legacy(plan.client) : stage.modern(plan.client);
    return await client.start(...callOf(work));
  });
  if (id === undefined) return;
  stage.recorder.tasks.push({ plan, id, created: null });
  stage.recorder.happened("create answered");
}

function callOf(work: Call): [string, Readonly<Record<string, unknown>>] {
  if (work.kind === "person") return ["ask_person", { question: work.question }];
  if (work.kind === "model") return ["generate", { prompt: work.prompt }];
  if (work.kind === "batch") return ["batch", { model: work.model, template: batchTemplate, inputs: work.inputs }];
  const { model, prompt, maxTokens, temperature, format } = work;
  const schema = format.type === "json_schema" ? { json_schema: format.schema } : {};
  return ["generate", { model, prompt, max_output_tokens: maxTokens, temperature, ...schema }];
}

export const batchTemplate = "What is {{input}}?";

const withData = z.looseObject({ structuredContent: z.json().optional(), isError: z.boolean().optional() });

/** Waits for the result; a task that was cancelled has none. */
async function outcome(stage: Stage, { id, plan }: SeenTask): Promise<void> {
  const answer = await stage.tried(`the result of ${id}`, async () =>
    (await stage.legacy(plan.client)).request("tasks/result", { taskId: id }),
  );
  if (answer === undefined || "error" in answer) return;
  const { structuredContent: data, isError } = withData.parse(answer.result);
  if (data !== undefined && isError !== true) stage.recorder.told.push({ what: "result", taskId: id, data });
}

async function leaveOpen(stage: Stage, task: SeenTask): Promise<void> {
  if (stage.isLast) await cancel(stage, task);
}

/** The question which model to use, as this generation of MCP brings it; then the text. */
async function answered(stage: Stage, task: SeenTask, model: string): Promise<void> {
  const answer = { action: "accept", content: { model } };
  await stage.tried(`the question of ${task.id}`, () => answers[task.plan.face](stage, task, answer));
  await followAll(stage, task);
}

type Answering = (
  stage: Stage,
  task: SeenTask,
  answer: { action: string; content: { model: string } },
) => Promise<void>;

const answers = {
  async lmsp() {
    throw new Error("LMSP knows no questions");
  },
  /** The server asks on the stream of `tasks/result`. */
  async legacy(stage, { id, plan }, answer) {
    const client = await stage.legacy(plan.client);
    const over = client.request("tasks/result", { taskId: id });
    const asked = client.next("elicitation/create", ({ params }) => relatedTaskOf(params) === id);
    const first = await Promise.race([over, asked]);
    if (!("method" in first)) return;
    stage.recorder.happened("question seen");
    await client.answer(first.id, answer);
    stage.recorder.happened("answer sent");
    await over;
  },
  async modern(stage, { id: taskId, plan }, answer) {
    const client = stage.modern(plan.client);
    const key = await questionOf(client, taskId);
    if (key === undefined) return;
    stage.recorder.happened("question seen");
    await client.acknowledged("tasks/update", { taskId, inputResponses: { [key]: answer } });
    stage.recorder.told.push({ what: "answered", taskId, content: answer.content });
    stage.recorder.happened("answer sent");
  },
} as const satisfies Record<SeenTask["plan"]["face"], Answering>;

/** The key of the open question, as soon as there is one; undefined when the task goes on, or has ended, without. */
async function questionOf(client: ModernClient, taskId: string): Promise<string | undefined> {
  const leaving = new AbortController();
  try {
    for await (const _ of client.listen({ taskIds: [taskId] }, leaving.signal)) {
      const { status, inputRequests = {} } = await client.task(taskId);
      if (status !== "working") return Object.keys(inputRequests)[0];
    }
    return undefined;
  } finally {
    leaving.abort();
  }
}
