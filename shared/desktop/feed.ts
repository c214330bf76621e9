import { z } from "zod";
import { storageTroubleSchema } from "../storage-trouble";
import { questionSchema } from "./questions";
import { changeSchema, sampleSchema, taskRowSchema } from "./rows";

/** How the host is. A red state has its reason in words. */
export const hostStatusSchema = z.strictObject({
  /** `http://127.0.0.1:PORT`; null when the endpoint is down. Never a token. */
  url: z.string().nullable(),
  version: z.string(),
  /** Why the endpoint is down; null when it is up. */
  endpointProblem: z.string().nullable(),
  /** What last happened to the inference process; null while nothing is wrong. */
  inferenceProblem: z.string().nullable(),
  loadedModels: z.array(z.string()).readonly(),
  /** What is wrong with where the tasks are kept; null while all is well. */
  storage: storageTroubleSchema.nullable(),
  /** What was found wrong at the start and has been dealt with, in sentences for the person. */
  warnings: z.array(z.string()).readonly(),
});
export type HostStatus = z.output<typeof hostStatusSchema>;

export const snapshotSchema = z.strictObject({
  rev: z.int(),
  /** Newest first. */
  rows: z.array(taskRowSchema),
  host: hostStatusSchema,
});
export type Snapshot = z.output<typeof snapshotSchema>;

/** New output of the watched task; `from` is where it begins in the item's text, so that nothing is added twice. */
const outputDeltaSchema = z.strictObject({
  taskId: z.string(),
  attempt: z.int(),
  index: z.int(),
  item: z.strictObject({ id: z.string(), type: z.enum(["message", "reasoning"]) }),
  from: z.int(),
  text: z.string(),
});

/**
 * What changed since the message before. A window applies it when `from` is the rev it has; otherwise it missed
 * something, and asks for a new snapshot. At most 20 a second, whatever the engine does.
 */
export const feedSchema = z.strictObject({
  from: z.int(),
  to: z.int(),
  rows: z.array(taskRowSchema),
  removed: z.array(z.string()),
  changes: z.array(changeSchema),
  /** Of the watched task: those that were asked or answered. */
  questions: z.array(questionSchema),
  output: z.array(outputDeltaSchema),
  samples: z.array(sampleSchema.extend({ taskId: z.string() })),
  host: hostStatusSchema.optional(),
});
export type Feed = z.output<typeof feedSchema>;
