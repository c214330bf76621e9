import { z } from "zod";
import type { WritingOptions } from "../../shared/message";

/** A lone surrogate can be neither stored nor tokenized; replacing it would change the text behind the caller's back. */
export const text = z.string().refine((value) => !/\p{Surrogate}/u.test(value), "must be well-formed Unicode");

/** The arguments that say which model, and how long its answer may be: every tool that writes has them. */
export const modelArguments = {
  model: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe(
      "Id of an installed model, as list_models tells it. Without one the default is taken; where several are installed and none is the default, somebody is asked.",
    ),
  max_output_tokens: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe("An upper bound for the answer, in tokens. Without one it ends by itself or where the context is full."),
};

/** All arguments that say how to write. */
export const writingArguments = {
  system: text.optional().describe("What the model is told before everything else: its role, rules and tone."),
  ...modelArguments,
  temperature: z
    .number()
    .min(0)
    .max(2)
    .optional()
    .describe("0 always takes the likeliest token; higher values vary more."),
  top_p: z.number().min(0).max(1).optional().describe("Only the likeliest tokens up to this probability are taken."),
  // 4,294,967,295 means "any" to llama.cpp.
  seed: z.int().min(0).max(4_294_967_294).optional().describe("The same seed and arguments give the same text."),
  stop: z
    .array(text.min(1))
    .min(1)
    .max(16)
    .optional()
    .describe("The answer ends before the first of these texts; the text itself is left out."),
  json_schema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("A JSON schema. The answer is JSON that conforms to it: the model can write nothing else."),
};

export type WritingArguments = z.output<z.ZodObject<typeof writingArguments>>;

export function writingOptions(args: WritingArguments): WritingOptions {
  const { max_output_tokens, temperature, top_p, seed, stop = [], json_schema } = args;
  return {
    ...(max_output_tokens === undefined ? {} : { maxTokens: max_output_tokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(top_p === undefined ? {} : { topP: top_p }),
    ...(seed === undefined ? {} : { seed }),
    stop,
    format: json_schema === undefined ? { type: "text" } : { type: "json_schema", schema: json_schema },
  };
}
