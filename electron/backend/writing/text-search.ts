/** A text to look for, and what finding it means. */
export interface Needle<Mark> {
  readonly text: string;
  readonly mark: Mark;
}

export interface Searched<Mark> {
  /** Text that belongs to no needle, and never will. */
  readonly text: string;
  /** What was found right after `text`; undefined when nothing was. */
  readonly found: Mark | undefined;
  /** What follows the found needle; not searched yet. */
  readonly rest: string;
}

interface Candidate<Mark> extends Needle<Mark> {
  /** Per matched length: the length that still matches when the next unit does not. */
  readonly fallback: readonly number[];
  matched: number;
}

/**
 * Looks for texts in a stream, one code unit at a time, so what is found does not depend on how the stream was cut. The
 * needle that ends first is found; of those that end together, the longest. Text is held back only while it may be the
 * start of a needle.
 */
export class TextSearch<Mark> {
  readonly #candidates: readonly Candidate<Mark>[];
  #held = "";

  /** Empty and ill-formed needles are left out: whole characters never contain them. */
  constructor(needles: readonly Needle<Mark>[]) {
    this.#candidates = needles
      .filter(({ text }) => text !== "" && !/\p{Surrogate}/u.test(text))
      .map((needle) => ({ ...needle, fallback: fallbackOf(needle.text), matched: 0 }));
  }

  push(text: string): Searched<Mark> {
    for (let at = 0; at < text.length; at++) {
      const found = this.#advance(text.charCodeAt(at));
      if (found === undefined) continue;
      const seen = this.flush() + text.slice(0, at + 1);
      return { text: seen.slice(0, seen.length - found.text.length), found: found.mark, rest: text.slice(at + 1) };
    }
    const seen = this.#held + text;
    const keep = this.#candidates.reduce((most, { matched }) => Math.max(most, matched), 0);
    this.#held = seen.slice(seen.length - keep);
    return { text: seen.slice(0, seen.length - keep), found: undefined, rest: "" };
  }

  /** What is held back, given up as a needle; the search begins anew. */
  flush(): string {
    const held = this.#held;
    this.#held = "";
    for (const candidate of this.#candidates) candidate.matched = 0;
    return held;
  }

  #advance(unit: number): Candidate<Mark> | undefined {
    let found: Candidate<Mark> | undefined;
    for (const candidate of this.#candidates) {
      candidate.matched = nextMatch(candidate.text, candidate.fallback, candidate.matched, unit);
      if (candidate.matched < candidate.text.length) continue;
      if (found === undefined || candidate.text.length > found.text.length) found = candidate;
    }
    return found;
  }
}

/** Knuth-Morris-Pratt: long and repetitive needles cost no more than short ones. */
function fallbackOf(text: string): readonly number[] {
  const fallback = [0];
  for (let length = 1; length < text.length; length++) {
    fallback.push(nextMatch(text, fallback, fallback[length - 1] ?? 0, text.charCodeAt(length)));
  }
  return fallback;
}

function nextMatch(text: string, fallback: readonly number[], matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && text.charCodeAt(length) !== unit) length = fallback[length - 1] ?? 0;
  return text.charCodeAt(length) === unit ? length + 1 : length;
}
