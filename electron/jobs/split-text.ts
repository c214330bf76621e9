/** The language is fixed: a later attempt must find the same borders, whatever the machine's settings are then. */
const segmenters = (["sentence", "word", "grapheme"] as const).map(
  (granularity) => new Intl.Segmenter("und", { granularity }),
);
/** How much of the text behind a cut is looked at to find a border before it. */
const lookahead = 64;
/** The longest character in UTF-8; no part can be smaller. */
const smallestPart = 4;

const encoder = new TextEncoder();

export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

/**
 * Cuts a text into parts of at most `limit` bytes in UTF-8, each as long as the borders allow; joined they are the text.
 * A cut is between sentences; inside one only when it is longer than a part, then between words, then between
 * characters as a reader sees them. `limit` is at least 4.
 */
export function splitText(text: string, limit: number): string[] {
  if (limit < smallestPart) throw new RangeError(`A part of ${limit} bytes cannot hold every character`);
  const buffer = new Uint8Array(limit);
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const fitting = encoder.encodeInto(text.slice(start, start + limit), buffer).read;
    // Looking for a border costs as much as the string is long: it gets to see the neighbourhood only.
    const length =
      start + fitting === text.length ? fitting : borderIn(text.slice(start, start + fitting + lookahead), fitting);
    parts.push(text.slice(start, start + length));
    start += length;
  }
  return parts;
}

/** The last border at or before `fitting`, of the largest kind that has one; `fitting` itself when none has. */
function borderIn(near: string, fitting: number): number {
  for (const segmenter of segmenters) {
    const border = segmenter.segment(near).containing(fitting)?.index ?? 0;
    if (border > 0) return border;
  }
  return fitting;
}
