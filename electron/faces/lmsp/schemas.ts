import { z } from "zod";
import { restartPolicies } from "../../../shared/lifecycle";
import { lmspStatuses } from "./statuses";

/** The shapes of the answers: `wire.ts` makes them, the OpenAPI document shows them. */
const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
});

/** What every route may answer instead: the guard's refusals, a limit, a fault of the request or of ours. */
export const refusals = { "4xx": problem("The request is refused."), "5xx": problem("The service failed.") };

function problem(description: string) {
  return { description, content: { "application/problem+json": { schema: problemSchema } } };
}

const partSchema = z.object({ type: z.enum(["output_text", "reasoning_text"]), text: z.string() });

const itemSchema = z.union([
  z.object({
    id: z.string(),
    type: z.literal("message"),
    role: z.literal("assistant"),
    content: z.array(partSchema),
  }),
  z.object({ id: z.string(), type: z.literal("reasoning"), content: z.array(partSchema) }),
]);

export const responseSchema = z.object({
  id: z.string(),
  object: z.literal("response"),
  created_at: z.int(),
  status: z.enum(["queued", "in_progress", "completed", "incomplete", "failed", "cancelled"]),
  model: z.string().nullable(),
  output: z.array(itemSchema),
  usage: z.object({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() }).nullable(),
  error: problemSchema.nullable(),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
});

/** LMSP 7.1: exactly these eleven fields. */
export const taskSchema = z.strictObject({
  id: z.string(),
  object: z.literal("task"),
  type: z.literal("response"),
  status: z.enum(lmspStatuses),
  created_at: z.int(),
  updated_at: z.int(),
  response_id: z.string(),
  events_url: z.string(),
  on_restart: z.enum(restartPolicies),
  response: responseSchema.nullable(),
  error: problemSchema.nullable(),
});

export const taskListSchema = z.object({
  object: z.literal("list"),
  data: z.array(taskSchema),
  next_cursor: z.string().nullable(),
});

export const modelListSchema = z.object({
  object: z.literal("list"),
  data: z.array(
    z.object({
      id: z.string(),
      object: z.literal("model"),
      default: z.boolean(),
      loaded: z.boolean(),
      context_length: z.int().nullable(),
      size_bytes: z.int(),
    }),
  ),
});

export const capabilitiesSchema = z.object({
  event_resume: z.boolean(),
  resumable_snapshots: z.boolean(),
  limits: z.record(z.string(), z.number()),
});

export const taskParams = z.object({ id: z.string() });

export type TaskObject = z.output<typeof taskSchema>;
export type ListObject = z.output<typeof taskListSchema>;
export type ResponseObject = z.output<typeof responseSchema>;
export type ResponseStatus = ResponseObject["status"];
export type ItemObject = z.output<typeof itemSchema>;
export type PartObject = z.output<typeof partSchema>;
