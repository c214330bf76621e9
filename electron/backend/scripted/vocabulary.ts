import { createHash } from "node:crypto";

/**
 * Gives byte sequences token ids, the same bytes the same id in every process, and reads ids that it gave back as a
 * model's decoder would.
 */
export class Vocabulary {
  readonly #bytes = new Map<number, readonly number[]>();

  idOf(bytes: readonly number[]): number {
    const id = createHash("sha256").update(Uint8Array.from(bytes)).digest().readUInt32BE() >>> 1;
    this.#bytes.set(id, bytes);
    return id;
  }

  /** A cut character becomes U+FFFD. */
  detokenize(tokens: readonly number[]): string {
    const bytes = tokens.flatMap((id) => this.#bytes.get(id) ?? []);
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));
  }
}

/** A text as tokens of one byte, one character, or one word with the blanks before it. */
export function cut(text: string, how: "bytes" | "characters" | "words"): readonly (readonly number[])[] {
  if (how === "bytes") return [...bytesOf(text)].map((byte) => [byte]);
  const parts = how === "characters" ? [...text] : (text.match(/\s*\S+|\s+$/g) ?? []);
  return parts.map((part) => [...bytesOf(part)]);
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
