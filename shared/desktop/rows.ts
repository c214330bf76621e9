import { z } from "zod";
import { restartPolicies, taskStatuses } from "../lifecycle";
import { taskOrigins } from "../task";
import { questionSchema } from "./questions";

/** What the window shows of a task in its list. Times are milliseconds. */
export const taskRowSchema = z.strictObject({
  id: z.string(),
  /** Position in the order of creation. */
  row: z.int(),
  title: z.string(),
  client: z.string(),
  origin: z.enum(taskOrigins),
  /** What the caller says of itself; unverified, and shown as such. */
  caller: z.string().nullable(),
  job: z.string(),
  model: z.string().nullable(),
  status: z.enum(taskStatuses),
  onRestart: z.enum(restartPolicies),
  attempt: z.int(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** When it will be cancelled if it has not ended; null keeps it. */
  expiresAt: z.number().nullable(),
  /** Prompt tokens read of the whole prompt, while it is read. */
  reading: z.strictObject({ read: z.int(), total: z.int() }).nullable(),
  /** Tokens generated in this attempt. */
  tokens: z.int(),
  /** Mean of the last three seconds; null when nothing is generated. */
  tokensPerSecond: z.number().nullable(),
  /** The newest question that waits for the person, with the beginning of its message; null when nothing does. */
  question: z.strictObject({ id: z.string(), message: z.string() }).nullable(),
  problem: z.strictObject({ code: z.string(), detail: z.string() }).nullable(),
  rev: z.int(),
});
export type TaskRow = z.output<typeof taskRowSchema>;

export const changeSchema = z.strictObject({
  taskId: z.string(),
  from: z.enum(taskStatuses).nullable(),
  to: z.enum(taskStatuses),
  at: z.number(),
  attempt: z.int(),
  rev: z.int(),
  reason: z.string().nullable(),
});

/** A moment of the run: tokens generated since the sample before. The timeline's area is made of these. */
export const sampleSchema = z.strictObject({ at: z.number(), attempt: z.int(), tokens: z.int() });
export type Sample = z.output<typeof sampleSchema>;

export const outputItemSchema = z.strictObject({
  id: z.string(),
  type: z.enum(["message", "reasoning"]),
  text: z.string(),
});

/** Everything of one task, read when it is opened; the feed goes on from `rev`. */
export const taskDetailSchema = z.strictObject({
  row: taskRowSchema,
  messages: z.array(z.strictObject({ role: z.enum(["system", "user", "assistant"]), text: z.string() })),
  /** As the request gave them, by name; shown, never interpreted. */
  options: z.record(z.string(), z.json()),
  changes: z.array(changeSchema),
  /** Oldest first, open and answered. */
  questions: z.array(questionSchema),
  output: z.array(outputItemSchema),
  /** The structured result of a job that has one. */
  data: z.json().nullable(),
  samples: z.array(sampleSchema),
  firstTokenAt: z.number().nullable(),
  usage: z.strictObject({ inputTokens: z.int(), outputTokens: z.int() }).nullable(),
  finish: z.enum(["completed", "max_output_tokens", "context_length"]).nullable(),
  rev: z.int(),
});
export type TaskDetail = z.output<typeof taskDetailSchema>;
