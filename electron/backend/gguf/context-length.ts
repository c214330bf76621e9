import { GgufError } from "./gguf-error";
import { entriesOf, readCounts, readValue } from "./gguf-header";
import { GgufReader } from "./gguf-reader";
import { valueTypes } from "./value-types";

/**
 * The context length that the model was trained for; null when the file does not say, or is no sound GGUF file.
 * Reads no further than it must: the word lists that follow can be large.
 */
export function readContextLength(path: string): number | null {
  try {
    using reader = new GgufReader(path);
    for (const { key, type } of entriesOf(reader, readCounts(reader).entries)) {
      const value = readValue(reader, type);
      const isLength = /^[\w-]+\.context_length$/.test(key) && value.kind === "number";
      if (isLength && (type === valueTypes.u32 || type === valueTypes.i32)) return value.number;
    }
    return null;
  } catch (error) {
    // A damaged or vanished file is listed all the same: loading it says what is wrong.
    if (error instanceof GgufError || isFileError(error)) return null;
    throw error;
  }
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
