import { GgufError, GgufReader } from "./gguf-reader";
import { bytesOf } from "./gguf-tensors";

const scalarBytes: Readonly<Record<number, number>> = {
  0: 1, // u8
  1: 1, // i8
  2: 2, // u16
  3: 2, // i16
  4: 4, // u32
  5: 4, // i32
  6: 4, // f32
  7: 1, // bool
  10: 8, // u64
  11: 8, // i64
  12: 8, // f64
};
const stringType = 8;
const arrayType = 9;
const deepestArray = 8;
const mostDimensions = 4;
const defaultAlignment = 32;

/**
 * The context length that the model was trained for; null when the file does not say, or is no sound GGUF file.
 * Reads no further than it must: the word lists that follow can be large.
 */
export function readContextLength(path: string): number | null {
  try {
    using reader = new GgufReader(path);
    for (const { key, type } of entriesOf(reader)) {
      if (/^[\w-]+\.context_length$/.test(key) && (type === 4 || type === 5)) return reader.u32();
      skipValue(reader, type);
    }
    return null;
  } catch (error) {
    // A damaged or vanished file is listed all the same: loading it says what is wrong.
    if (error instanceof GgufError || isFileError(error)) return null;
    throw error;
  }
}

/**
 * Checks that the file holds all the data that its header announces, before native code trusts the header.
 * Throws GgufError.
 */
export function checkGgufFile(path: string): void {
  using reader = new GgufReader(path);
  let alignment = defaultAlignment;
  const header = entriesOf(reader);
  let entry = header.next();
  while (!entry.done) {
    if (entry.value.key === "general.alignment" && entry.value.type === 4) alignment = reader.u32();
    else skipValue(reader, entry.value.type);
    entry = header.next();
  }
  if (alignment < 1 || alignment > 1 << 20) throw new GgufError("is damaged: its alignment makes no sense");
  checkTensors(reader, entry.value, alignment);
}

/** Yields each metadata entry, whose value the caller reads or skips; returns the number of tensors. */
function* entriesOf(reader: GgufReader): Generator<{ readonly key: string; readonly type: number }, number> {
  if (reader.size < 4 || reader.u32() !== 0x46554747) throw new GgufError("is no GGUF file");
  const version = reader.u32();
  if (version !== 2 && version !== 3) throw new GgufError(`has GGUF version ${version}, which is not supported`);
  const tensors = reader.count();
  const entries = reader.count();
  for (let index = 0; index < entries; index++) yield { key: reader.string(), type: reader.u32() };
  return tensors;
}

function skipValue(reader: GgufReader, type: number, depth = 0): void {
  const bytes = scalarBytes[type];
  if (bytes !== undefined) reader.skip(bytes);
  else if (type === stringType) reader.skip(reader.count());
  else if (type === arrayType && depth < deepestArray) skipArray(reader, depth);
  else throw new GgufError("is damaged: its metadata cannot be read");
}

function skipArray(reader: GgufReader, depth: number): void {
  const type = reader.u32();
  const count = reader.count();
  const bytes = scalarBytes[type];
  if (bytes !== undefined) reader.skip(bytes * count);
  else for (let index = 0; index < count; index++) skipValue(reader, type, depth + 1);
}

function checkTensors(reader: GgufReader, tensors: number, alignment: number): void {
  let end = 0;
  for (let index = 0; index < tensors; index++) end = Math.max(end, tensorEnd(reader));
  const dataStart = Math.ceil(reader.position / alignment) * alignment;
  const needed = dataStart + end;
  if (tensors > 0 && needed > reader.size) {
    throw new GgufError(`is incomplete: it has ${reader.size} bytes and needs ${needed}`);
  }
}

/** Where the next tensor of the header ends, counted from the start of the data. */
function tensorEnd(reader: GgufReader): number {
  reader.string();
  const dimensions = reader.u32();
  if (dimensions > mostDimensions) throw new GgufError("is damaged: a tensor in it has too many dimensions");
  let elements = 1;
  for (let index = 0; index < dimensions; index++) elements *= reader.u64();
  const type = reader.u32();
  return reader.u64() + bytesOf(type, elements);
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
