/** Gives byte sequences token ids, the same bytes the same id, and reads ids back as a model's decoder would. */
export class Vocabulary {
  readonly #bytes: (readonly number[])[] = [];
  readonly #ids = new Map<string, number>();

  idOf(bytes: readonly number[]): number {
    const key = bytes.join(",");
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#bytes.push(bytes) - 1;
    this.#ids.set(key, id);
    return id;
  }

  /** A cut character becomes U+FFFD. */
  detokenize(tokens: readonly number[]): string {
    const bytes = tokens.flatMap((id) => this.#bytes[id] ?? []);
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
