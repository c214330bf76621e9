import { z } from "zod";
import { clientNamePattern } from "../../shared/client-name";
import type { EventBody } from "../../shared/event";
import { formSchema } from "../../shared/form-schema";
import type { Json } from "../../shared/json";
import { restartPolicies, taskStatuses } from "../../shared/lifecycle";
import { type ProblemCode, problems } from "../../shared/problem";
import { type Question, questionTypes } from "../../shared/question";
import { finishes, type Outcome, taskOrigins } from "../../shared/task";

/**
 * The file of an export: a JSON object a line, in UTF-8, each with its `type`. First the `header`, then the `settings`,
 * the `client`s and the tasks, oldest first, then the `end`, without which the file is cut off. A `task` is followed by
 * what belongs to it, each naming it: its `input`, then its `change`s and `event`s in the order in which they happened, its
 * `step`s and its `question`s. Times are milliseconds since 1970. A file of another version is not read.
 */
export const formatName = "simmer-export";
export const formatVersion = 1;

/** What walks a value by recursion is safe up to here. */
const deepest = 1_000;

const time = z.int();
const count = z.int().min(0);
/** What `JSON.parse` made is JSON. */
const json = z.custom<Json>((value) => value !== undefined && !isTooDeep(value), "is missing or nested too deeply");
/** A file is named after it: nothing else may stand in it. */
const taskId = z.string().regex(/^task_[0-9A-Za-z]{1,40}$/, "is not the id of a task");
const client = z.string().regex(clientNamePattern, "is not the name of a client");

export const headerSchema = z.object({
  type: z.literal("header"),
  format: z.literal(formatName),
  version: z.int(),
  simmer: z.string(),
  at: z.string(),
});

const item = { id: z.string(), type: z.enum(["message", "reasoning"]) } as const;
const usage = z.strictObject({ inputTokens: count, outputTokens: count });
const finish = z.enum(finishes);

const outcome: z.ZodType<Outcome> = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("result"),
    result: z.strictObject({
      items: z.array(z.strictObject({ ...item, text: z.string() })),
      finish,
      usage,
      data: json.exactOptional(),
    }),
  }),
  z.strictObject({
    kind: z.literal("error"),
    problem: z.strictObject({
      code: z.custom<ProblemCode>((code) => typeof code === "string" && Object.hasOwn(problems, code)),
      detail: z.string(),
      retryAfter: z.number().exactOptional(),
    }),
  }),
  z.strictObject({ kind: z.literal("cancelled"), reason: z.string() }),
]);

const place = { index: z.int().min(0).max(10_000), item: z.strictObject(item) } as const;
const text = { ...place, text: z.string() } as const;
const tokens = z.array(count);

const modelSoFar = { model: z.null().exactOptional() } as const;

const body: z.ZodType<EventBody> = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("created"), ...modelSoFar }),
  z.strictObject({ type: z.literal("started"), attempt: z.int().min(1), ...modelSoFar }),
  z.strictObject({ type: z.literal("item_opened"), ...place }),
  z.strictObject({ type: z.literal("part_opened"), ...place }),
  z.strictObject({ type: z.literal("delta"), ...text, tokens }),
  z.strictObject({ type: z.literal("text_closed"), ...text, tokens }),
  z.strictObject({ type: z.literal("part_closed"), ...text }),
  z.strictObject({
    type: z.literal("item_closed"),
    ...text,
    whole: z.strictObject({ finish, usage }).exactOptional(),
  }),
  z.strictObject({ type: z.literal("ended") }),
]);

const answerers = z.array(z.enum(["caller", "person"]));
const asked: z.ZodType<Question["body"]> = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("form"),
    message: z.string(),
    schema: z.custom<z.output<typeof formSchema>>((schema) => formSchema.safeParse(schema).success),
  }),
  z.strictObject({ type: z.literal("sampling"), request: z.record(z.string(), json) }),
  z.strictObject({ type: z.literal("roots") }),
]);
const answer = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("accept"), content: json }),
  z.strictObject({ action: z.literal("decline") }),
  z.strictObject({ action: z.literal("cancel") }),
]);

const task = taskId;
/** Counts the commits of the task: what has the same number happened at once. */
const commit = z.int().min(1);

const taskLine = z.strictObject({
  type: z.literal("task"),
  id: taskId,
  client,
  caller: z.string().nullable(),
  origin: z.enum(taskOrigins),
  listed: z.boolean(),
  job: z.string(),
  title: z.string(),
  model: z.string().nullable(),
  status: z.enum(taskStatuses),
  onRestart: z.enum(restartPolicies),
  attempt: z.int().min(1),
  createdAt: time,
  updatedAt: time,
  responseId: z.string(),
  ttl: count.nullable(),
  answers: z.array(z.enum(questionTypes)),
  faceData: json,
  outcome: outcome.nullable(),
  lastSeq: count,
  eventsExpired: z.boolean(),
  idempotency: z.strictObject({ key: z.string(), fingerprint: z.string() }).nullable(),
});

const clientLine = z.strictObject({
  type: z.literal("client"),
  name: client,
  limits: z.record(z.string(), z.number()),
  createdAt: time,
  lastSeenAt: time.nullable(),
});

const endLine = z.strictObject({
  type: z.literal("end"),
  tasks: count,
  /** Of all bytes before this line; whoever writes such a file by hand may leave it out. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .exactOptional(),
});

/** All lines but the header. */
export const lineSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("settings"), settings: z.record(z.string(), json) }),
  clientLine,
  taskLine,
  z.strictObject({ type: z.literal("input"), task, input: json }),
  z.strictObject({
    type: z.literal("change"),
    task,
    commit,
    from: z.enum(taskStatuses).nullable(),
    to: z.enum(taskStatuses),
    at: time,
    attempt: z.int().min(1),
    reason: z.string().nullable(),
  }),
  z.strictObject({ type: z.literal("event"), task, commit, seq: count, at: time, body }),
  z.strictObject({ type: z.literal("step"), task, key: z.string(), outcome: json }),
  z.strictObject({
    type: z.literal("question"),
    task,
    id: z.string(),
    key: z.string(),
    body: asked,
    to: answerers,
    askedAt: time,
    answered: z.strictObject({ answer, by: z.string(), at: time }).nullable(),
  }),
  endLine,
]);

export type ArchiveLine = z.output<typeof lineSchema>;
export type LineOf<T extends ArchiveLine["type"]> = Extract<ArchiveLine, { type: T }>;
export type Header = z.output<typeof headerSchema>;

function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}
