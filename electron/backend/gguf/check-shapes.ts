import { damaged } from "./gguf-error";
import type { GgufTensor } from "./gguf-header";
import { tensorTypes } from "./tensor-types";

/** What the description of a model says of its tensors. */
export interface Shapes {
  readonly tokens: number;
  readonly embedding: number;
  /** Per layer; 0 where there is none. */
  readonly inner: readonly number[];
  readonly heads: readonly number[];
  readonly headLength: number | undefined;
}

/** What is added, multiplied and turned with, whatever its shape. */
const plain = /(norm(_\d)?\.weight|\.bias|\.scale|\.input_scale)$|rope_f/;
const f32 = 0;
/** Whole numbers are for looking up which experts a token goes to, and nothing can be computed with them. */
const i32 = 26;
const lookedUp = /^blk\.\d+\.ffn_gate_tid2eid\./;
const layerTensor = /^blk\.(\d+)\.(.+)$/;
/** Tensors whose rows are as long as an embedding. */
const ofEmbedding = /^(token_embd|output|attn_(q|k|v|qkv)|ffn_(up|gate|gate_inp|(up|gate)_(exps|shexp)))\.weight$/;

/**
 * Checks the tensors by what the model's description says of them. Before it reads a tensor, the library lets llama.cpp
 * work out the memory with tensors as they are described: rows shorter than a block of their type end the process.
 * Throws GgufError.
 */
export function checkShapes(tensors: readonly GgufTensor[], shapes: Shapes): void {
  const embeddings = tensors.find(({ name }) => name === "token_embd.weight");
  const [width, rows] = embeddings?.dimensions ?? [];
  if (width !== shapes.embedding || rows !== shapes.tokens) {
    const found = embeddings === undefined ? "none" : `${width} x ${rows ?? 1}`;
    throw damaged(`it describes ${shapes.embedding} x ${shapes.tokens} numbers for its tokens, and has ${found}`);
  }
  for (const tensor of tensors) {
    const isWrong = plain.test(tensor.name)
      ? tensor.type !== f32
      : lookedUp.test(tensor.name) !== (tensor.type === i32);
    if (isWrong) throw damaged(`its tensor ${tensor.name} has a type that it cannot have`);
    checkRow(tensor, describedRow(tensor.name, shapes));
  }
}

function checkRow({ name, type }: GgufTensor, row: number | undefined): void {
  const block = tensorTypes[type]?.elements ?? 1;
  if (row === undefined || row >= block) return;
  throw damaged(`it describes rows of ${row} numbers in ${name}, whose type has blocks of ${block}`);
}

/** Undefined for a tensor of which the description says nothing. */
function describedRow(name: string, { embedding, inner, heads, headLength }: Shapes): number | undefined {
  const [, layer, part = name] = layerTensor.exec(name) ?? [];
  if (ofEmbedding.test(part)) return embedding;
  const of = (numbers: readonly number[]) => numbers[Number(layer ?? 0)] || numbers[0] || undefined;
  if (part === "ffn_down.weight") return of(inner);
  const own = of(heads);
  return part === "attn_output.weight" && own !== undefined ? own * (headLength ?? embedding / own) : undefined;
}
