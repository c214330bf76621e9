import { readFileSync } from "node:fs";
import { demo } from "../llama/test-models";
import { entriesOf, readCounts, readHeader, readValue } from "./gguf-header";
import { GgufReader } from "./gguf-reader";
import type { Draft, Entry } from "./test-gguf";

/** The embedded model as a draft, without its weights. */
export function demoDraft(): Draft {
  using reader = new GgufReader(demo);
  const file = readFileSync(demo);
  const entries: Entry[] = [];
  for (const { key, type } of entriesOf(reader, readCounts(reader).entries)) {
    const start = reader.position;
    readValue(reader, type);
    entries.push({ key, type, value: Buffer.from(file.subarray(start, reader.position)) });
  }
  reader.seek(0);
  const tensors = readHeader(reader).tensors.map(({ name, type, dimensions }) => ({
    name,
    type,
    dimensions: [...dimensions],
  }));
  return { version: 3, alignment: 32, entries, tensors };
}
