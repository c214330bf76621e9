const pictures = 0x2400;
const deletePicture = "␡";
const unknown = "\uFFFD";

/**
 * Text that a page can show, whatever a model wrote: control characters (NUL, escape codes) become their pictures,
 * halves of surrogate pairs the sign for what is unknown. Line ends become `\n`.
 */
export function safeText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, pictureOf)
    .replace(/\p{Surrogate}/gu, unknown);
}

function pictureOf(control: string): string {
  const code = control.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(pictures + code);
  return code === 0x7f ? deletePicture : unknown;
}

/** Pieces of at most `most` characters, cut at line ends where there are any, never inside a character. */
export function piecesOf(text: string, most: number): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (from < text.length) {
    const to = endOfPiece(text, from, most);
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

function endOfPiece(text: string, from: number, most: number): number {
  const limit = from + most;
  if (limit >= text.length) return text.length;
  const line = text.lastIndexOf("\n", limit - 1) + 1;
  if (line > from) return line;
  const isInsidePair = /[\uDC00-\uDFFF]/.test(text.charAt(limit)) && /[\uD800-\uDBFF]/.test(text.charAt(limit - 1));
  return isInsidePair && limit - 1 > from ? limit - 1 : limit;
}
