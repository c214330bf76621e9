import { damaged, unsupported } from "./gguf-error";
import type { GgufHeader, GgufValue } from "./gguf-header";
import type { GgufReader } from "./gguf-reader";
import { numbersIn, textsIn } from "./read-array";
import { valueTypes } from "./value-types";

type GgufArray = Extract<GgufValue, { kind: "array" }>;

const longestToken = 1 << 16;
const byteType = 6;
/** Tokenizers of models that write no text, and none. */
const useless = ["none", "no_vocab", "bert"];
/** Where the id of the unknown token is when the file does not say. */
const unknownIds: Readonly<Record<string, number>> = { llama: 0, t5: 2, plamo2: 0 };

/**
 * Checks the list of tokens and what goes with it, which llama.cpp reads side by side; what a text has beyond the
 * tokens must have a place among them, or reading it ends the process. Gives their number. Throws GgufError.
 */
export function checkTokenizer({ values }: GgufHeader, reader: GgufReader): number {
  const model = values.get("tokenizer.ggml.model");
  if (model?.kind !== "text" || useless.includes(model.text)) throw unsupported("has no tokenizer for texts");
  const tokens = arrayOf(values, "tokenizer.ggml.tokens", [valueTypes.text]);
  if (tokens === undefined || tokens.length === 0) throw damaged("its tokenizer has no tokens");
  const types = arrayOf(values, "tokenizer.ggml.token_type", [valueTypes.i32]);
  checkLength(tokens.length, types, "types");
  checkLength(tokens.length, arrayOf(values, "tokenizer.ggml.scores", [valueTypes.f32, valueTypes.i32]), "scores");
  arrayOf(values, "tokenizer.ggml.merges", [valueTypes.text]);
  const seen = differentTokens(reader, tokens);
  if (types !== undefined) checkBytes([...seen], numbersIn(reader, types, tokens.length) ?? []);
  checkFallback(model.text, seen, unknownId(values, model.text, seen.size));
  return seen.size;
}

function arrayOf(values: GgufHeader["values"], key: string, types: readonly number[]): GgufArray | undefined {
  const value = values.get(key);
  if (value === undefined) return undefined;
  if (value.kind !== "array" || !types.includes(value.type)) throw damaged(`its ${key} is of another kind`);
  return value;
}

function checkLength(tokens: number, other: GgufArray | undefined, name: string): void {
  if (other === undefined || other.length >= tokens) return;
  throw damaged(`its tokenizer has ${tokens} tokens and ${other.length} ${name}`);
}

/** In their order, as llama.cpp reads them: up to a zero byte, and an empty one by its number. Two equal ones end it. */
function differentTokens(reader: GgufReader, tokens: GgufArray): ReadonlySet<string> {
  const seen = new Set<string>();
  let index = 0;
  for (const token of textsIn(reader, tokens, longestToken)) {
    const end = token.indexOf("\0");
    seen.add((end < 0 ? token : token.slice(0, end)) || `[EMPTY_${index}]`);
    index += 1;
    if (seen.size < index) throw damaged(`token ${index - 1} of its tokenizer is there twice`);
  }
  return seen;
}

/** llama.cpp takes the fourth and fifth character of a byte's token for its value. */
function checkBytes(tokens: readonly string[], types: readonly number[]): void {
  const wrong = tokens.findIndex((token, index) => types[index] === byteType && token.length < "<0x0A>".length);
  if (wrong >= 0) throw damaged(`token ${wrong} of its tokenizer is a byte and does not say which`);
}

function unknownId(values: GgufHeader["values"], model: string, tokens: number): number | undefined {
  const value = values.get("tokenizer.ggml.unknown_token_id");
  return [value?.kind === "number" ? value.number : undefined, unknownIds[model]].find(
    (id) => id !== undefined && id < tokens,
  );
}

/** What a tokenizer makes of characters that it has no token for: bytes, or one token for all of them. */
function checkFallback(model: string, tokens: ReadonlySet<string>, unknown: number | undefined): void {
  if (model === "llama" && !bytes.every((names) => names.some((name) => tokens.has(name)))) {
    throw damaged("its tokenizer lacks some bytes");
  }
  const isComplete = model === "rwkv" && singleBytes(tokens) === 256;
  if ((model === "t5" || model === "rwkv") && unknown === undefined && !isComplete) {
    throw damaged("its tokenizer has no token for what it does not know");
  }
}

/** The names under which llama.cpp looks for a byte. */
const bytes = Array.from({ length: 256 }, (_, byte) => {
  const digits = byte.toString(16).toUpperCase().padStart(2, "0");
  return [`<0x${digits}>`, String.fromCharCode(byte)];
});

/** RWKV writes its tokens with escapes. */
function singleBytes(tokens: ReadonlySet<string>): number {
  return [...tokens].filter((token) => /^(\\x[\da-f]{2}|\\[^x]|[^\\])$/.test(token)).length;
}
