/** Asks for the summary of a text; `words` is how long it may be, for a part of a longer one. */
export function summaryPrompt(text: string, instructions: string | undefined, words?: number): string {
  const what =
    words === undefined
      ? "Summarize the text below."
      : `The text below is a part of a longer one. Summarize this part in at most ${words} words.`;
  return [
    `${what} Use the language of the text, unless you are told otherwise. Write only the summary.`,
    ...(instructions === undefined ? [] : [instructions]),
    `<text>\n${text}\n</text>`,
  ].join("\n\n");
}

/** About how many words so many bytes are: fewer than in most languages, since models write more than they are told. */
export function wordsIn(bytes: number): number {
  return Math.max(20, Math.floor(bytes / 8));
}
