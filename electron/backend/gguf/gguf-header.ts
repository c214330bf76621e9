import { damaged, GgufError, unsupported } from "./gguf-error";
import type { GgufReader } from "./gguf-reader";
import { scalars, valueTypes } from "./value-types";

/** What the file says of itself under a key. The elements of an array stay in the file, from `position` on. */
export type GgufValue =
  | { readonly kind: "number"; readonly type: number; readonly number: number }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "array"; readonly type: number; readonly length: number; readonly position: number };

export interface GgufTensor {
  readonly name: string;
  /** Elements along each axis; the first is the length of a row. */
  readonly dimensions: readonly number[];
  readonly type: number;
  /** From the start of the data. */
  readonly offset: number;
}

export interface GgufHeader {
  readonly values: ReadonlyMap<string, GgufValue>;
  readonly tensors: readonly GgufTensor[];
  /** Where the header ends; the data begins at the next multiple of the alignment. */
  readonly end: number;
}

/**
 * What follows holds for every model there is by a wide margin. llama.cpp compares each key and each tensor's name with
 * all others, and the library keeps arrays in memory: without bounds a file could make either work for hours.
 */
const most = {
  ...{ entries: 8_192, tensors: 32_768, bytes: 1 << 27, text: 1 << 24 },
  ...{ numbers: 1 << 22, texts: 1 << 21, elements: 1 << 23 },
};
/** GGUF: a key has at most 65535 bytes. ggml: a tensor's name has less than 64. */
const longestKey = 65_535;
const longestName = 63;
const mostDimensions = 4;
/** Bytes of the shortest entry and the shortest tensor: an empty name and what goes with it. */
const smallest = { entry: 8 + 4 + 1, tensor: 8 + 4 + 4 + 8 };
/** Of a longer text only the beginning is kept: what is compared with anything is short. */
const keptText = 256;
const printable = /^[\x20-\x7e]+$/;
/** Keys become objects in the library, and these are no names for that. */
const inherited = /(^|\.)(__proto__|constructor|prototype)(\.|$)/;

/** Reads and checks all that stands before the tensors' data, or throws GgufError. */
export function readHeader(reader: GgufReader): GgufHeader {
  const { tensors, entries } = readCounts(reader);
  const values = new Map<string, GgufValue>();
  let elements = 0;
  for (const { key, type } of entriesOf(reader, entries)) {
    if (values.has(key)) throw damaged(`it says "${key}" twice`);
    const value = readValue(reader, type);
    values.set(key, value);
    if (value.kind === "array") elements += value.length;
    if (elements > most.elements) throw damaged(`its arrays have more than ${most.elements} elements in all`);
  }
  const list = Array.from({ length: tensors }, () => readTensor(reader));
  return { values, tensors: list, end: reader.position };
}

/** Yields each key with its value's type; the caller reads the value. */
export function* entriesOf(
  reader: GgufReader,
  count: number,
): Generator<{ readonly key: string; readonly type: number }> {
  for (let index = 0; index < count; index++) {
    const key = reader.bytes(longestKey);
    if (!printable.test(key) || inherited.test(key)) throw damaged("a key in it is no name");
    yield { key, type: reader.u32() };
    if (reader.position > most.bytes) throw damaged(`its metadata has more than ${most.bytes} bytes`);
  }
}

export function readCounts(reader: GgufReader): { readonly tensors: number; readonly entries: number } {
  if (reader.size < 4 || reader.take(4).toString("latin1") !== "GGUF") {
    throw new GgufError("is no GGUF file", "Download it again, or choose another model.");
  }
  const version = reader.u32();
  if (version !== 2 && version !== 3) throw unsupported(`has GGUF version ${version}, which is not supported`);
  const tensors = reader.count(smallest.tensor);
  const entries = reader.count(smallest.entry);
  if (tensors > most.tensors) throw damaged(`it speaks of ${tensors} tensors`);
  if (entries > most.entries) throw damaged(`it speaks of ${entries} entries`);
  return { tensors, entries };
}

export function readValue(reader: GgufReader, type: number): GgufValue {
  const scalar = scalars[type];
  if (scalar !== undefined) return { kind: "number", type, number: scalar.read(reader.take(scalar.bytes)) };
  if (type === valueTypes.text) return { kind: "text", text: readText(reader) };
  if (type === valueTypes.array) return readArray(reader);
  throw damaged(`a value in it has the type ${type}, which does not exist`);
}

function readText(reader: GgufReader): string {
  const length = reader.count(1);
  if (length > most.text) throw damaged(`a text in it has ${length} bytes`);
  const kept = Math.min(length, keptText);
  const text = reader.take(kept).toString("utf8");
  reader.skip(length - kept);
  return text;
}

function readArray(reader: GgufReader): GgufValue {
  const type = reader.u32();
  const bytes = scalars[type]?.bytes;
  // GGUF would allow arrays in arrays; llama.cpp does not, and no model has them.
  if (bytes === undefined && type !== valueTypes.text) throw damaged(`an array in it has elements of type ${type}`);
  const length = reader.count(bytes ?? 8);
  if (length > (bytes === undefined ? most.texts : most.numbers))
    throw damaged(`an array in it has ${length} elements`);
  const { position } = reader;
  if (bytes !== undefined) reader.skip(bytes * length);
  else for (let index = 0; index < length; index++) reader.skip(reader.count(1));
  return { kind: "array", type, length, position };
}

function readTensor(reader: GgufReader): GgufTensor {
  const name = reader.bytes(longestName);
  if (!printable.test(name)) throw damaged("the name of a tensor in it is no name");
  const count = reader.u32();
  if (count > mostDimensions) throw damaged(`its tensor ${name} has ${count} dimensions`);
  const dimensions = Array.from({ length: count }, () => reader.u64());
  return { name, dimensions, type: reader.u32(), offset: reader.u64() };
}
