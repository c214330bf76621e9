import { damaged, incomplete, unsupported } from "./gguf-error";
import type { GgufHeader, GgufTensor } from "./gguf-header";
import { tensorTypes } from "./tensor-types";
import { valueTypes } from "./value-types";

/** Also the least: ggml computes with nothing that lies between (TENSOR_ALIGNMENT). */
const defaultAlignment = 32;
const largestAlignment = 1 << 20;

/**
 * Checks that the tensors lie where llama.cpp will read them: one behind the other in the order of the header, each
 * beginning at a multiple of the alignment, none beyond the end of the file. Throws GgufError.
 */
export function checkLayout(header: GgufHeader, size: number): void {
  const alignment = alignmentOf(header);
  const start = align(header.end, alignment);
  const placed = header.tensors.map((tensor) => ({ tensor, bytes: bytesOf(tensor) }));
  const needed = placed.reduce((most, { tensor, bytes }) => Math.max(most, start + tensor.offset + bytes), 0);
  if (needed > size) throw incomplete(size, BigInt(needed));
  let expected = 0;
  const names = new Set<string>();
  for (const { tensor, bytes } of placed) {
    if (names.has(tensor.name)) throw damaged(`it has the tensor ${tensor.name} twice`);
    names.add(tensor.name);
    if (tensor.offset !== expected) throw damaged(`its tensor ${tensor.name} is not where it should be`);
    expected = align(expected + bytes, alignment);
  }
}

function alignmentOf({ values }: GgufHeader): number {
  const value = values.get("general.alignment");
  if (value === undefined) return defaultAlignment;
  const alignment = value.kind === "number" && value.type === valueTypes.u32 ? value.number : 0;
  const isSound =
    alignment >= defaultAlignment && alignment <= largestAlignment && Number.isInteger(Math.log2(alignment));
  if (!isSound) throw damaged("its alignment makes no sense");
  return alignment;
}

function bytesOf({ name, dimensions, type, offset }: GgufTensor): number {
  const block = tensorTypes[type];
  if (block === undefined) throw unsupported(`has a tensor (${name}) of type ${type}, which is not supported`);
  // ggml takes a tensor with a dimension of 0 for a transposed one, and ends the process.
  if (dimensions.length === 0 || dimensions.includes(0)) throw damaged(`its tensor ${name} is empty`);
  const elements = dimensions.reduce((product, dimension) => product * dimension, 1);
  const isCountable = Number.isSafeInteger(elements) && Number.isSafeInteger(offset);
  const bytes = (elements / block.elements) * block.bytes;
  if (!isCountable) return Math.max(bytes, Number.MAX_SAFE_INTEGER); // needs more than any file has
  const [row = 1] = dimensions;
  if (row % block.elements !== 0) throw damaged(`the rows of its tensor ${name} are no whole blocks of its type`);
  // Biases, norms and scales are all F32: ggml has no addition or multiplication for other types.
  if (dimensions.length === 1 && type !== 0) throw damaged(`its tensor ${name} has a type that it cannot have`);
  return bytes;
}

function align(position: number, alignment: number): number {
  return Math.ceil(position / alignment) * alignment;
}
