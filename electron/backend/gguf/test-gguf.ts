import { tensorTypes } from "./tensor-types";
import { scalars, valueTypes } from "./value-types";

/** A GGUF file to be: as it stands it is sound, and each of its parts can be made wrong. */
export interface Draft {
  version: number;
  alignment: number;
  entries: Entry[];
  tensors: Tensor[];
}

export interface Entry {
  key: string;
  type: number;
  /** The value's bytes as they stand in the file. */
  value: Buffer;
}

export interface Tensor {
  name: string;
  dimensions: number[];
  type: number;
  /** Where llama.cpp expects it when absent. */
  offset?: number;
}

export const number = (key: string, type: number, value: number): Entry => ({ key, type, value: scalar(type, value) });
export const u32 = (key: string, value: number): Entry => number(key, valueTypes.u32, value);
export const f32 = (key: string, value: number): Entry => number(key, valueTypes.f32, value);
export const text = (key: string, value: string): Entry => ({ key, type: valueTypes.text, value: textBytes(value) });

export function texts(key: string, values: readonly string[]): Entry {
  const bytes = [scalar(4, valueTypes.text), u64(values.length), ...values.map(textBytes)];
  return { key, type: valueTypes.array, value: Buffer.concat(bytes) };
}

export function numbers(key: string, type: number, values: readonly number[]): Entry {
  const bytes = [scalar(4, type), u64(values.length), ...values.map((value) => scalar(type, value))];
  return { key, type: valueTypes.array, value: Buffer.concat(bytes) };
}

/** All that stands before the tensors' data, padded; and how many bytes of data follow. */
export function writeHeader({ version, alignment, entries, tensors }: Draft): { header: Buffer; data: number } {
  let data = 0;
  const described = tensors.map((tensor) => {
    const offset = tensor.offset ?? data;
    data = align(data + bytesOf(tensor), alignment);
    const { name, dimensions, type } = tensor;
    return Buffer.concat([
      ...[textBytes(name), scalar(4, dimensions.length), ...dimensions.map(u64)],
      ...[scalar(4, type), u64(offset)],
    ]);
  });
  const head = [Buffer.from("GGUF"), scalar(4, version), u64(tensors.length), u64(entries.length)];
  const said = entries.flatMap(({ key, type, value }) => [textBytes(key), scalar(4, type), value]);
  const bytes = Buffer.concat([...head, ...said, ...described]);
  return { header: Buffer.concat([bytes, Buffer.alloc(align(bytes.length, alignment) - bytes.length)]), data };
}

/** The whole file, with zeros for the tensors' data. */
export function writeDraft(draft: Draft): Buffer {
  const { header, data } = writeHeader(draft);
  return Buffer.concat([header, Buffer.alloc(data)]);
}

export interface Shape {
  readonly architecture: string;
  readonly layers: number;
  readonly heads: number;
  readonly keys: number;
  readonly headLength: number;
  readonly width: number;
  readonly inner: number;
  readonly type: number;
}

export const tiny: Shape = {
  architecture: "llama",
  layers: 2,
  heads: 4,
  keys: 2,
  headLength: 8,
  width: 32,
  inner: 64,
  type: 0,
};

/** A model of a few kilobytes that llama.cpp loads, whose weights say nothing. */
export function tinyDraft(shape: Shape = tiny): Draft {
  const words = [...Array(256).keys()].map((byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);
  const tokens = ["<unk>", "<s>", "</s>", ...words, "▁", "a", "b", "▁a"];
  return {
    version: 3,
    alignment: 32,
    entries: [...description(shape), ...tokenizer(tokens)],
    tensors: tensorsOf(shape, tokens.length),
  };
}

function description({ architecture, layers, heads, keys, headLength, width, inner }: Shape): Entry[] {
  return [
    text("general.architecture", architecture),
    text("general.name", "Tiny"),
    u32(`${architecture}.context_length`, 512),
    u32(`${architecture}.embedding_length`, width),
    u32(`${architecture}.block_count`, layers),
    u32(`${architecture}.feed_forward_length`, inner),
    u32(`${architecture}.attention.head_count`, heads),
    u32(`${architecture}.attention.head_count_kv`, keys),
    u32(`${architecture}.attention.key_length`, headLength),
    u32(`${architecture}.attention.value_length`, headLength),
    u32(`${architecture}.rope.dimension_count`, headLength),
    f32(`${architecture}.attention.layer_norm_rms_epsilon`, 1e-5),
  ];
}

function tokenizer(tokens: readonly string[]): Entry[] {
  const kinds = tokens.map((token) => (token === "<unk>" ? 2 : token.startsWith("<0x") ? 6 : token[0] === "<" ? 3 : 1));
  return [
    text("tokenizer.ggml.model", "llama"),
    texts("tokenizer.ggml.tokens", tokens),
    numbers(
      "tokenizer.ggml.scores",
      valueTypes.f32,
      tokens.map((_, index) => -index),
    ),
    numbers("tokenizer.ggml.token_type", valueTypes.i32, kinds),
    u32("tokenizer.ggml.bos_token_id", 1),
    u32("tokenizer.ggml.eos_token_id", 2),
    u32("tokenizer.ggml.unknown_token_id", 0),
  ];
}

function tensorsOf({ layers, heads, keys, headLength, width, inner, type }: Shape, tokens: number): Tensor[] {
  const weight = (name: string, ...dimensions: number[]): Tensor => ({ name: `${name}.weight`, dimensions, type });
  const norm = (name: string): Tensor => ({ name: `${name}.weight`, dimensions: [width], type: 0 });
  const layer = (index: number): Tensor[] => {
    const name = (part: string) => `blk.${index}.${part}`;
    return [
      norm(name("attn_norm")),
      weight(name("attn_q"), width, heads * headLength),
      weight(name("attn_k"), width, keys * headLength),
      weight(name("attn_v"), width, keys * headLength),
      weight(name("attn_output"), heads * headLength, width),
      norm(name("ffn_norm")),
      weight(name("ffn_gate"), width, inner),
      weight(name("ffn_down"), inner, width),
      weight(name("ffn_up"), width, inner),
    ];
  };
  const layersOf = Array.from({ length: layers }, (_, index) => layer(index)).flat();
  return [weight("token_embd", width, tokens), ...layersOf, norm("output_norm"), weight("output", width, tokens)];
}

/** What is too large to be meant has no data: the file then lacks it. */
function bytesOf({ dimensions, type }: Tensor): number {
  const block = tensorTypes[type] ?? { elements: 1, bytes: 4 };
  const bytes = Math.ceil(dimensions.reduce((product, size) => product * size, 1) / block.elements) * block.bytes;
  return bytes > 1 << 26 ? 0 : Math.max(0, bytes);
}

function scalar(type: number, value: number): Buffer {
  const bytes = Buffer.alloc(scalars[type]?.bytes ?? 4);
  if (type === valueTypes.f32) bytes.writeFloatLE(value);
  else if (type === 12) bytes.writeDoubleLE(value);
  else if (bytes.length === 8) bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)));
  else bytes.writeUIntLE((value >>> 0) % 2 ** (8 * bytes.length), 0, bytes.length);
  return bytes;
}

function u64(value: number): Buffer {
  return scalar(10, value);
}

function textBytes(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
}

function align(position: number, alignment: number): number {
  return Math.ceil(position / alignment) * alignment;
}
