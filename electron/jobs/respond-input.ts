import { z } from "zod";
import type { Json } from "../../shared/json";
import type { Message, WritingOptions } from "../../shared/message";

/** What the job `respond` does: continue a conversation. Stored when the task is created, read when it runs. */
export interface RespondInput {
  readonly messages: readonly Message[];
  readonly options: WritingOptions;
}

const schema = z.object({
  messages: z.array(z.object({ role: z.enum(["system", "user", "assistant"]), text: z.string() })).min(1),
  options: z.object({
    maxTokens: z.int().min(1).exactOptional(),
    temperature: z.number().min(0).exactOptional(),
    topP: z.number().min(0).max(1).exactOptional(),
    seed: z.int().min(0).exactOptional(),
    stop: z.array(z.string().min(1)).default([]),
    format: z
      .discriminatedUnion("type", [
        z.object({ type: z.literal("text") }),
        z.object({ type: z.literal("json_object") }),
        z.object({ type: z.literal("json_schema"), schema: z.record(z.string(), z.unknown()) }),
      ])
      .default({ type: "text" }),
  }),
});

/** Throws when what is stored is not such an input: a bug, since it was checked when the task was created. */
export function parseRespondInput(input: Json): RespondInput {
  return schema.parse(input);
}
