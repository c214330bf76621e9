import { type GbnfJsonSchema, type Llama, type LlamaGrammar, LlamaJsonSchemaGrammar } from "node-llama-cpp";
import type { TextFormat } from "../../../shared/message";
import { ProblemError } from "../../../shared/problem";
import type { GenerationStep } from "../../engine/backend";
import { conforms, type JsonSchema } from "./json-schema-check";
import { toGrammarSchema } from "./json-schema-grammar";

/** The library ends each JSON grammar with blank lines to stop by; ours ends where the JSON ends. */
const libraryEnding = ' "\\n\\n\\n\\n" [\\n]*';

const anyJsonObject: JsonSchema = { type: "object" };
/** Blanks are free, but few: a model that may write blanks for ever sometimes does. */
const anyObject = String.raw`
root ::= object
object ::= "{" space (member (space "," space member)*)? space "}"
member ::= string space ":" space value
array ::= "[" space (value (space "," space value)*)? space "]"
value ::= object | array | string | number | "true" | "false" | "null"
string ::= "\"" character* "\""
character ::= [^"\\\x7F\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4})
number ::= "-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]{1,16})? ([eE] [-+]? [0-9]{1,2})?
space ::= (" " | "\n" [ \t]{0,20})?
`;

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
  if (format.type === "json_object") {
    return {
      grammar: await llama.createGrammar({ grammar: anyObject }),
      checked: (steps) => checked(steps, anyJsonObject),
    };
  }
  const { schema } = format;
  const grammar = await compile(llama, schema);
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
