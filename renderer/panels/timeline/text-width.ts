/** Widths of the interface's font at 11 px, a little more than they are: a text that is said to fit does fit. */
const narrow = 3.4;
const usual = 6.5;
const wide = 11.5;

/** How wide a small text is at most, without asking the page for it. */
export function textWidth(text: string): number {
  return [...text].reduce((sum, sign) => sum + widthOf(sign), 0);
}

function widthOf(sign: string): number {
  if (/[ijlt.,:;'|! ]/.test(sign)) return narrow;
  if (/[mwMW%]/.test(sign)) return 10.5;
  return (sign.codePointAt(0) ?? 0) >= 0x2e80 ? wide : usual;
}
