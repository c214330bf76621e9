import type { GgufValue } from "./gguf-header";
import type { GgufReader } from "./gguf-reader";
import { scalars } from "./value-types";

type GgufArray = Extract<GgufValue, { kind: "array" }>;

/** The first numbers of an array, at most `most`; undefined when it has none but texts. */
export function numbersIn(reader: GgufReader, array: GgufArray, most: number): readonly number[] | undefined {
  const scalar = scalars[array.type];
  if (scalar === undefined) return undefined;
  reader.seek(array.position);
  const count = Math.min(array.length, most);
  return Array.from({ length: count }, () => scalar.read(reader.take(scalar.bytes)));
}

/** Each text of an array, one character a byte. */
export function* textsIn(reader: GgufReader, array: GgufArray, most: number): Generator<string> {
  reader.seek(array.position);
  for (let index = 0; index < array.length; index++) yield reader.bytes(most);
}
