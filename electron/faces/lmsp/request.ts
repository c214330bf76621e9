import { z } from "zod";
import { restartPolicies } from "../../../shared/lifecycle";

/** The rule below, for the documentation of every route that takes such a request. */
export const fieldRule =
  "Fields that are not listed are ignored, except those that would change the result and are not supported: they are refused.";

/**
 * What a client may ask for. One rule for fields: those listed are checked; those that we know of and do not serve are
 * refused when they would change the result; all others are ignored. `null` is the same as absent, as in the API whose
 * names these are.
 */
export function responseRequestSchema(maxOutputTokens: number) {
  return z.looseObject({
    model: z.string().min(1).max(256).nullish().describe("The default model when absent."),
    input: z
      .union([text.min(1), z.array(messageSchema).min(1)], { error: "must be a text or a list of messages, not empty" })
      .refine(holdsText, { error: "holds no text" }),
    instructions: text.nullish(),
    max_output_tokens: z.int().min(1).max(maxOutputTokens).nullish().describe("An upper bound, not a reservation."),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    // 4,294,967,295 means "any" to llama.cpp.
    seed: z.int().min(0).max(4_294_967_294).nullish(),
    stop: z
      .union([text.min(1), z.array(text.min(1)).min(1).max(16)], { error: "must be 1 to 16 texts, none empty" })
      .nullish(),
    text: z.looseObject({ format: formatSchema.nullish() }).nullish(),
    metadata: z.record(z.string(), z.string()).nullish(),
    ...unsupported,
  });
}

export function taskRequestSchema(maxOutputTokens: number) {
  return z.looseObject({
    type: z.literal("response"),
    input: responseRequestSchema(maxOutputTokens),
    on_restart: z.enum(restartPolicies).default("fail"),
  });
}

export type ResponseRequest = z.output<ReturnType<typeof responseRequestSchema>>;
export type TaskRequest = z.output<ReturnType<typeof taskRequestSchema>>;

/** A lone surrogate cannot be stored or tokenized; replacing it would change the text behind the client's back. */
const text = z.string().refine((value) => !/\p{Surrogate}/u.test(value), { error: "must be well-formed Unicode" });

const contentSchema = z.union([text, z.array(z.looseObject({ type: z.enum(["input_text", "output_text"]), text }))], {
  error: "must be a text or a list of text parts",
});

const messageSchema = z
  .looseObject({
    type: z.literal("message").nullish(),
    role: z.enum(["system", "developer", "user", "assistant"]),
    content: contentSchema.nullable(),
  })
  .superRefine(({ role, content }, context) => {
    if (content === null && role !== "assistant") fault("only an assistant's content may be null");
    else if (role === "user" && contentText(content) === "") fault("must not be empty");
    function fault(message: string) {
      context.addIssue({ code: "custom", path: ["content"], message });
    }
  });

const formatSchema = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text") }),
  z.looseObject({ type: z.literal("json_object") }),
  z.looseObject({ type: z.literal("json_schema"), schema: z.record(z.string(), z.unknown()) }),
]);

const unsupported = {
  tools: neutral("an empty list", (value) => Array.isArray(value) && value.length === 0),
  tool_choice: neutral('"none"', (value) => value === "none"),
  previous_response_id: neutral("null", () => false),
  conversation: neutral("null", () => false),
  background: neutral("false", (value) => value === false),
  truncation: neutral('"disabled"', (value) => value === "disabled"),
  n: neutral("1", (value) => value === 1),
  logprobs: neutral("false", (value) => value === false),
};

/** A parameter that is served only where it changes nothing. */
function neutral(accepted: string, changesNothing: (value: unknown) => boolean) {
  return z
    .unknown()
    .refine((value) => value === undefined || value === null || changesNothing(value), {
      error: `is not supported; leave it out, or send ${accepted}`,
      params: { problem: "unsupported_parameter" },
    })
    .optional()
    .describe(`Not supported: absent, or ${accepted}.`);
}

type Content = z.output<typeof contentSchema> | null;

export function contentText(content: Content): string {
  if (content === null || typeof content === "string") return content ?? "";
  return content.map((part) => part.text).join("");
}

function holdsText(input: string | readonly { readonly content: Content }[]): boolean {
  return typeof input === "string" || input.some(({ content }) => contentText(content) !== "");
}
