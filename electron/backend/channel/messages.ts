import { z } from "zod";
import { type Problem, type ProblemCode, problems } from "../../../shared/problem";
import type { BackendStats, GenerateRequest, GenerationStep, ModelInfo, ModelSpec } from "../../engine/backend";

/** What crosses the channel. Each side checks what arrives: the other may be another build, or broken. */

const count = z.number().int().min(0);
const positive = z.number().int().min(1).nullable();

const modelSpec = z.object({
  id: z.string(),
  path: z.string(),
  contextLength: positive,
  threads: positive,
  parallel: positive,
  gpu: z.boolean(),
}) satisfies z.ZodType<ModelSpec>;

const generateRequest = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.enum(["system", "user", "assistant"]), text: z.string() })),
  options: z.object({
    maxTokens: z.number().int().min(1).exactOptional(),
    temperature: z.number().min(0).exactOptional(),
    topP: z.number().min(0).max(1).exactOptional(),
    seed: z.number().int().exactOptional(),
    stop: z.array(z.string()),
    format: z.discriminatedUnion("type", [
      z.object({ type: z.literal("text") }),
      z.object({ type: z.literal("json_object") }),
      z.object({ type: z.literal("json_schema"), schema: z.record(z.string(), z.unknown()) }),
    ]),
  }),
  snapshot: z.object({ tokens: z.array(count), file: z.string().nullable() }).exactOptional(),
}) satisfies z.ZodType<GenerateRequest>;

const step = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("piece"),
    output: z.enum(["message", "reasoning"]),
    text: z.string(),
    tokens: z.array(z.number().int()),
  }),
  z.object({ type: z.literal("reading"), read: count, total: count }),
  z.object({
    type: z.literal("ended"),
    reason: z.enum(["end", "stop_string", "max_tokens", "context_full"]),
    usage: z.object({ inputTokens: count, outputTokens: count }),
  }),
]) satisfies z.ZodType<GenerationStep>;

const problem = z.object({
  code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]),
  detail: z.string(),
  retryAfter: z.number().exactOptional(),
}) satisfies z.ZodType<Problem>;

export const modelInfo = z.object({
  id: z.string(),
  contextLength: count,
  parallel: count,
}) satisfies z.ZodType<ModelInfo>;

export const backendStats = z.object({
  generating: count,
  generatedTokens: count,
  readTokens: count,
  loaded: z.array(z.string()),
  loads: count,
  pid: count,
}) satisfies z.ZodType<BackendStats>;

/** Asked by the host. `abort` stops the call of that id; every other gets its own answer. */
export const toProcess = z.discriminatedUnion("type", [
  z.object({ type: z.literal("load"), id: count, model: modelSpec }),
  z.object({ type: z.literal("unload"), id: count, model: z.string() }),
  z.object({ type: z.literal("generate"), id: count, request: generateRequest }),
  z.object({ type: z.literal("stats"), id: count }),
  z.object({ type: z.literal("ping"), id: count }),
  z.object({ type: z.literal("close"), id: count }),
  z.object({ type: z.literal("abort"), id: count }),
]);

/** An answer has any number of `steps`, then one `done` or `failed`. */
export const toHost = z.discriminatedUnion("type", [
  z.object({ type: z.literal("steps"), id: count, steps: z.array(step) }),
  z.object({ type: z.literal("done"), id: count, value: z.unknown() }),
  z.object({
    type: z.literal("failed"),
    id: count,
    failure: z.union([z.object({ problem }), z.object({ bug: z.string() })]),
  }),
]);

/** What is said within one turn of the event loop travels together. */
export const toHostBundle = z.array(toHost);

export type ToProcess = z.output<typeof toProcess>;
export type ToHost = z.output<typeof toHost>;
export type Failure = Extract<ToHost, { type: "failed" }>["failure"];
