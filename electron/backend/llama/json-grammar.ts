import { type GbnfJsonSchema, type Llama, type LlamaGrammar, LlamaJsonSchemaGrammar } from "node-llama-cpp";
import type { TextFormat } from "../../../shared/message";
import { ProblemError } from "../../../shared/problem";
import type { GenerationStep } from "../../engine/backend";
import { conforms, type JsonSchema } from "./json-schema-check";
import { toGrammarSchema } from "./json-schema-grammar";

/** The library ends each JSON grammar with blank lines to stop by; ours ends where the JSON ends. */
const libraryEnding = ' "\\n\\n\\n\\n" [\\n]*';

/** Makes a model write JSON of one shape, and checks that it did. */
export interface JsonGrammar {
  readonly grammar: LlamaGrammar;
  /** Passes the steps on; throws ProblemError instead of the end when the answer is not what was asked for. */
  checked(steps: AsyncIterable<GenerationStep>): AsyncGenerator<GenerationStep>;
}

/**
 * Undefined for free text. Fails closed: what cannot be enforced is refused with ProblemError `invalid_request`, and
 * the finished text is checked too.
 */
export async function grammarFor(llama: Llama, format: TextFormat): Promise<JsonGrammar | undefined> {
  if (format.type === "text") return undefined;
  const schema: JsonSchema = format.type === "json_object" ? { type: "object" } : format.schema;
  const isOpen = format.type === "json_object";
  const grammar = await compile(llama, isOpen ? { type: "object", additionalProperties: true } : schema);
  return { grammar, checked: (steps) => checked(steps, schema) };
}

async function compile(llama: Llama, schema: JsonSchema): Promise<LlamaGrammar> {
  const grammarSchema = toGrammarSchema(schema);
  try {
    const { grammar } = new LlamaJsonSchemaGrammar<GbnfJsonSchema>(llama, grammarSchema);
    return await llama.createGrammar({ grammar: withoutEnding(grammar) });
  } catch (error) {
    throw new ProblemError("invalid_request", "text.format: no grammar can be made of this schema.", { cause: error });
  }
}

function withoutEnding(grammar: string): string {
  const [root = "", ...rules] = grammar.split("\n");
  if (!root.endsWith(libraryEnding)) throw new Error("The library's JSON grammar does not end as expected.");
  return [root.slice(0, -libraryEnding.length), ...rules].join("\n");
}

async function* checked(steps: AsyncIterable<GenerationStep>, schema: JsonSchema): AsyncGenerator<GenerationStep> {
  let text = "";
  for await (const step of steps) {
    if (step.type === "piece" && step.output === "message") text += step.text;
    const isWhole = step.type === "ended" && (step.reason === "end" || step.reason === "stop_string");
    if (isWhole && !isJsonOf(text, schema)) {
      throw new ProblemError("invalid_request", "text.format: the model's answer is not JSON of the schema.");
    }
    yield step;
  }
}

function isJsonOf(text: string, schema: JsonSchema): boolean {
  try {
    return conforms(JSON.parse(text), schema, schema);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
