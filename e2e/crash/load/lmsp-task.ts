import type { LmspTask } from "../../lmsp-client";
import type { PlannedTask, Work } from "../plan/planned-task";
import type { SeenTask } from "../record/recorder";
import { followAll } from "./follow";
import type { Stage } from "./stage";

type Text = Extract<Work, { kind: "text" }>;
type Plain = Extract<Work, { kind: "plain" }>;

/** Creates the task, if it is not known yet, and follows it. */
export async function playLmsp(stage: Stage, plan: PlannedTask, work: Text, isRepeat: boolean): Promise<void> {
  // A create that was lost may have been stored: without a key it must not be sent again.
  if (stage.recorder.taskOf(plan) === undefined && (!isRepeat || plan.delivery !== "once"))
    await Promise.all([create(stage, plan, work), ...(plan.delivery === "twice" ? [create(stage, plan, work)] : [])]);
  const task = stage.recorder.taskOf(plan);
  if (task !== undefined) await followAll(stage, task);
}

async function create(stage: Stage, plan: PlannedTask, work: Text): Promise<void> {
  const { recorder } = stage;
  const headers = plan.delivery === "once" ? {} : { "idempotency-key": plan.key };
  recorder.happened("create sent");
  const created = await stage.tried(`the create of ${plan.key}`, () =>
    stage.lmsp(plan.client).create(requestOf(work), { on_restart: plan.policy }, headers),
  );
  if (created === undefined) return;
  acknowledged(stage, plan, created);
  recorder.happened("create answered");
}

/** Every answer counts: two to one key must tell of one task. */
function acknowledged({ recorder }: Stage, plan: PlannedTask, answer: LmspTask): void {
  const { id, response_id, created_at } = answer;
  recorder.told.push({ what: "status", taskId: id, status: answer.status });
  const known: SeenTask | undefined = recorder.taskOf(plan);
  if (known === undefined) recorder.tasks.push({ plan, id, created: { response_id, created_at } });
  else if (known.id !== id) recorder.broken.push(`one key made two tasks: ${known.id} and ${id}`);
}

function requestOf({ model, prompt, maxTokens, temperature, format }: Text): object {
  const named = format.type === "text" ? format : { ...format, name: "answer" };
  return { model, input: prompt, max_output_tokens: maxTokens, temperature, text: { format: named } };
}

/** A call that ends with its connection; when it was answered, its text was stored. */
export async function playPlain(stage: Stage, { key, client }: PlannedTask, { model, prompt }: Plain): Promise<void> {
  const input = { model, input: prompt, temperature: 0, max_output_tokens: 200 };
  const answer = await stage.tried(`the call ${key}`, async () => {
    const response = await stage.lmsp(client).post("/responses", input);
    const body = await response.text();
    if (body.includes('"backend_crashed"')) return undefined;
    if (response.status !== 200) throw new Error(`${response.status}: ${body}`);
    return JSON.parse(body) as { id: string; output: { content: { text: string }[] }[] };
  });
  if (answer === undefined) return;
  const text = answer.output.flatMap(({ content }) => content.map((part) => part.text)).join("");
  stage.recorder.told.push({ what: "plain answer", responseId: answer.id, text });
}
