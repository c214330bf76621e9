import type { Json } from "../../../shared/json";
import type { RestartPolicy, TaskStatus } from "../../../shared/lifecycle";
import type { Outcome } from "../../../shared/task";
import type { Frame } from "../../lmsp-client";
import { expectedText } from "../host/scripts";
import type { FinalTask } from "../load/final-reading";
import type { PlannedTask, Work } from "../plan/planned-task";
import type { StoredTask } from "../readings/stored";
import type { Reading, Recorded, SeenTask, Told } from "../record/recorder";
import type { Evidence } from "./evidence";

/** With lists that a test can change. */
type Loose<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key] };

export interface Doctored extends Evidence {
  readonly recorded: Loose<Recorded>;
  readonly stored: { readonly damage: string[]; readonly tasks: Loose<StoredTask>[] };
  readonly final: ReadonlyMap<string, Loose<FinalTask>>;
  readonly files: string[];
}

/** A small round in which all is well: what the tests of the checks spoil. Tasks are `t-fail`, `t-retry` and so on. */
export function soundEvidence(): Doctored {
  const told: Told[] = [
    { what: "status", taskId: "t-fail", status: "queued" },
    { what: "cancel sent", taskId: "t-resume" },
    { what: "cancelled", taskId: "t-resume" },
    { what: "result", taskId: "t-person", data: said },
    { what: "answered", taskId: "t-model", content: { model: "swift" } },
    { what: "plain answer", responseId: "resp-t-plain", text: "Yes." },
  ];
  const evidence: Evidence = {
    recorded: { tasks: seen, readings: readings(), told, broken: [] },
    stored: { damage: [], tasks: rows() },
    final: new Map(Object.entries(histories()).map(([id, frames]) => [id, finalOf(id, frames)])),
    files: ["simmer.db", "simmer.db-wal", "lock.db", "audit.log", "logs/simmer.log"],
  };
  // Nothing in it is shared with the next one.
  return structuredClone(evidence) as Doctored;
}

const said = { action: "accept", content: { answer: "May it? (accept)" } };

const text = (prompt: string): Work => ({
  kind: "text",
  model: "swift",
  prompt,
  maxTokens: 3,
  temperature: 0,
  format: { type: "text" },
});

function planned(key: string, face: PlannedTask["face"], work: Work, policy: RestartPolicy = "fail"): PlannedTask {
  const delivery = policy === "retry" ? "twice" : "once";
  return { key, client: "ann", face, work, policy, delivery, readers: [[]], cancelAfter: null };
}

const plans: readonly PlannedTask[] = [
  planned("fail", "lmsp", text("One.")),
  planned("retry", "lmsp", text("Two."), "retry"),
  planned("resume", "lmsp", text("Three."), "resume"),
  planned("person", "legacy", { kind: "person", question: "May it? (accept)", answer: "accept" }),
  planned("model", "modern", { kind: "model", prompt: "Four.", answer: "swift" }),
];

const seen: readonly SeenTask[] = plans.map((plan) => ({ plan, id: `t-${plan.key}`, created: null }));

const written = {
  "t-fail": expectedText("swift", "One.", 3),
  "t-retry": expectedText("swift", "Two.", 3),
  "t-resume": "",
  "t-model": expectedText("swift", "Four.", 1_000),
};

function frame(id: number, event: string, fields: object = {}): Frame {
  const data = { type: event, sequence_number: id, ...fields };
  return { id, event, data, raw: `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}` };
}

function stream(id: keyof typeof written, from: number, end: string): Frame[] {
  const delta = { delta: written[id] };
  return [
    frame(0, "response.created"),
    frame(from, "response.in_progress"),
    frame(from + 1, "response.output_text.delta", delta),
    frame(from + 2, end),
  ];
}

function histories(): Record<keyof typeof written, Frame[]> {
  return {
    "t-fail": stream("t-fail", 1, "response.incomplete"),
    "t-retry": stream("t-retry", 4, "response.incomplete"),
    "t-resume": stream("t-resume", 1, "response.cancelled"),
    "t-model": stream("t-model", 1, "response.completed"),
  };
}

/** The first reader saw the attempt that was superseded; the others went on where a kill had cut them. */
function readings(): Reading[] {
  const { "t-fail": fail, "t-retry": retry, "t-resume": resume } = histories();
  const superseded = [frame(1, "response.in_progress"), frame(2, "response.output_text.delta", { delta: "old" })];
  const reading = (taskId: string, after: number | null, frames: readonly Frame[], end: Reading["end"]): Reading => ({
    taskId,
    reader: "reader 0",
    after,
    frames: [...frames],
    end,
  });
  return [
    reading("t-fail", null, fail, "closed"),
    reading("t-retry", null, [...retry.slice(0, 1), ...superseded], "cut"),
    reading("t-retry", 2, retry.slice(1), "closed"),
    reading("t-resume", null, resume.slice(0, 2), "cut"),
    reading("t-resume", 1, resume.slice(2), "closed"),
  ];
}

const statuses: Readonly<Record<string, TaskStatus>> = { "t-resume": "cancelled" };
const lmspStatus = (id: string) => statuses[id] ?? "succeeded";

function finalOf(id: string, frames: readonly Frame[]): FinalTask {
  const status = lmspStatus(id);
  const task = {
    id,
    status,
    created_at: 1,
    updated_at: 2,
    response_id: `resp-${id}`,
    events_url: "",
    on_restart: "fail",
  };
  const whole = written[id as keyof typeof written];
  return { task: { ...task, response: null, error: null }, text: whole, frames };
}

function rows(): StoredTask[] {
  const plain = planned("plain", "lmsp", { kind: "plain", model: "swift", prompt: "Five." });
  return [
    ...plans.map((plan) =>
      row(plan, histories()[`t-${plan.key}` as keyof typeof written]?.map(({ id }) => id) ?? [0, 1]),
    ),
    { ...row(plain, [0, 1]), outcome: result("Yes.") },
  ];
}

function result(message: string, data?: Json): Outcome {
  const items = [{ id: "msg_1", type: "message", text: message } as const];
  const usage = { inputTokens: 1, outputTokens: 1 };
  return { kind: "result", result: { items, finish: "completed", usage, ...(data === undefined ? {} : { data }) } };
}

function row(plan: PlannedTask, numbers: readonly number[]): StoredTask {
  const id = `t-${plan.key}`;
  const status = lmspStatus(id);
  const isCancelled = status === "cancelled";
  const attempts = plan.policy === "retry" ? 2 : 1;
  return {
    id,
    row: 1,
    client: plan.client,
    caller: null,
    origin: plan.face === "lmsp" ? "lmsp" : "mcp",
    listed: plan.work.kind !== "plain",
    job: plan.work.kind === "person" ? "ask_person" : "respond",
    title: "",
    model: plan.work.kind === "person" ? null : "swift",
    status,
    onRestart: plan.face === "lmsp" ? plan.policy : "resume",
    attempt: attempts,
    createdAt: 1,
    updatedAt: 2,
    responseId: `resp-${id}`,
    ttl: null,
    answers: [],
    faceData: null,
    outcome: isCancelled
      ? { kind: "cancelled", reason: "cancelled" }
      : result(written[id as keyof typeof written] ?? "", plan.work.kind === "person" ? said : undefined),
    lastSeq: numbers.at(-1) ?? 0,
    eventsExpired: false,
    rev: 100,
    input: inputOf(plan.work),
    key: plan.delivery === "once" ? null : plan.key,
    changes: path(id, attempts, isCancelled ? ["cancelling", "cancelled"] : [status]),
    events: numbers.map((seq, index) => ({
      taskId: id,
      seq,
      rev: 1,
      at: 1,
      body: index === numbers.length - 1 ? { type: "ended" } : { type: "created" },
    })),
    questions: plan.work.kind === "model" ? [question(id)] : [],
  };
}

function inputOf(work: Work): Json {
  if (work.kind === "person") return { question: work.question };
  if (work.kind === "model")
    return { messages: [{ role: "user", text: work.prompt }], options: { stop: [], format: { type: "text" } } };
  const prompt = work.kind === "text" ? work.prompt : "";
  const options = { maxTokens: 3, temperature: 0, stop: [], format: { type: "text" } };
  return { messages: [{ role: "user", text: prompt }], options };
}

function question(taskId: string): StoredTask["questions"][number] {
  const answer = { action: "accept", content: { model: "swift" } } as const;
  const body = { type: "roots" } as const;
  return {
    id: `q-${taskId}`,
    taskId,
    key: "model",
    body,
    to: ["caller"],
    askedAt: 1,
    answered: { answer, by: "ann", at: 1 },
  };
}

function path(taskId: string, attempts: number, ends: readonly TaskStatus[]): StoredTask["changes"] {
  const first: TaskStatus[] = ["queued", "loading", "running"];
  const whole = [...first, ...(attempts > 1 ? first : []), ...ends];
  return whole.map((to, index) => {
    const attempt = index < first.length ? 1 : attempts;
    return { taskId, from: whole[index - 1] ?? null, to, at: 1, attempt, rev: index + 1, reason: null };
  });
}
