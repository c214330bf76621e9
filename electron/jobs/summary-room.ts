import { ProblemError } from "../../shared/problem";

/** How much of a context goes to what; a type, not an interface, so that a step can record it. */
export type Room = {
  /** The most bytes of text that are put into one prompt, by an estimate. */
  readonly bytes: number;
  /** Tokens that the prompt may have so that the answer has room. */
  readonly promptTokens: number;
  /** Tokens that stay free for the answer. */
  readonly answerTokens: number;
};

/**
 * Bytes in UTF-8 for each token. English has four or five, most other scripts two to four: their letters take more
 * bytes and more tokens alike. Text with fewer, such as tables of numbers, is found out when it does not fit.
 */
const bytesPerToken = 3;
/** What a chat template puts around a prompt. */
const templateTokens = 64;
/** Summaries of less are of no use. */
export const fewestBytes = 256;

/**
 * Divides a context of `contextLength` tokens. `frame` is the prompt without the text. A quarter stays free for the
 * answer, more when more is asked for, but no more than half.
 * Throws ProblemError `context_length_exceeded` when the frame leaves no room.
 */
export function roomIn(contextLength: number, frame: string, maxTokens = 0): Room {
  const answerTokens = Math.min(Math.max(maxTokens, Math.floor(contextLength / 4)), Math.floor(contextLength / 2));
  const promptTokens = contextLength - answerTokens;
  const bytes = (promptTokens - templateTokens) * bytesPerToken - Buffer.byteLength(frame);
  if (bytes < fewestBytes) throw noRoom(contextLength);
  return { bytes, promptTokens, answerTokens };
}

export function noRoom(contextLength: number): ProblemError {
  return new ProblemError(
    "context_length_exceeded",
    `The context of this model has ${contextLength} tokens, which leaves no room for a part of the text. Use a model with a larger context, or shorter instructions.`,
  );
}
