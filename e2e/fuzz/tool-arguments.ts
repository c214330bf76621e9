import fc from "fast-check";
import type { Loose } from "./hostile-json";

const prompt = fc.constantFrom("Hi", "What is the capital of Japan?", "Write a long report about bees.");

const model = {
  model: fc.constantFrom("simmer-demo", "twin-a", "twin-b"),
  max_output_tokens: fc.integer({ min: 1, max: 8 }),
};

const writing = {
  ...model,
  system: fc.constant("Be brief."),
  temperature: fc.double({ min: 0, max: 2, noNaN: true }),
  top_p: fc.double({ min: 0, max: 1, noNaN: true }),
  seed: fc.nat(),
  stop: fc.array(fc.constantFrom(".", "a", "\n"), { minLength: 1, maxLength: 2 }),
  json_schema: fc.constantFrom<Loose[]>({ type: "object", properties: { a: { type: "boolean" } } }, { type: "null" }),
};

const turns = fc.array(fc.record({ role: fc.constantFrom("system", "user", "assistant"), content: prompt }), {
  minLength: 1,
  maxLength: 3,
});

const form = fc.constantFrom<Loose[]>(
  { type: "object", properties: { name: { type: "string", minLength: 1 } }, required: ["name"] },
  { type: "object", properties: { sure: { type: "boolean" }, size: { type: "integer", minimum: 0 } } },
);

/** A tool with arguments that are valid. Without a model, generate asks which. */
export const toolCalls: fc.Arbitrary<{ readonly name: string; readonly arguments: Loose }> = fc.oneof(
  call("generate", fc.record({ prompt, ...writing }, { requiredKeys: ["prompt", "max_output_tokens"] })),
  call("generate", fc.record({ messages: turns, ...model })),
  call("generate", fc.record({ prompt })),
  call(
    "summarize",
    fc.record(
      { text: prompt, instructions: prompt, ...model },
      { requiredKeys: ["text", "model", "max_output_tokens"] },
    ),
  ),
  call(
    "batch",
    fc.record(
      { template: fc.constant("Say {{input}}"), inputs: fc.array(prompt, { minLength: 1, maxLength: 3 }), ...writing },
      { requiredKeys: ["template", "inputs", "model", "max_output_tokens"] },
    ),
  ),
  call("list_models", fc.constant({})),
  call("ask_person", fc.record({ question: prompt, schema: form }, { requiredKeys: ["question"] })),
);

function call(name: string, args: fc.Arbitrary<Loose>) {
  return args.map((value) => ({ name, arguments: value }));
}

/** What a client may answer to a question. */
export const questionAnswers: fc.Arbitrary<Loose> = fc.constantFrom<Loose[]>(
  { action: "accept", content: { model: "twin-a" } },
  { action: "accept", content: { model: "none of them" } },
  { action: "accept" },
  { action: "decline" },
  { action: "cancel" },
  {},
);
