import type { TokenSource } from "../token-source";

/** What a decoder makes of bytes that are no character, or not one yet. */
const replacement = "\uFFFD";
/** A character has at most 4 bytes, so an unfinished one lies within the last 3 tokens. */
const unfinishedTokens = 3;
/** Tokens shown before the new ones, because a word's leading blank depends on them. */
const contextTokens = 4;

/**
 * Makes whole characters of tokens that cut them anywhere. All text is given at once except a last U+FFFD: that one may
 * be an unfinished character, and is given once something follows it. So a genuine U+FFFD survives, unless it is the
 * very last character, where nothing tells it from a character that was cut off.
 */
export class Characters {
  readonly #detokenize: TokenSource["detokenize"];
  #before: readonly number[] = [];
  /** Tokens whose text ends in an unfinished character. */
  #pending: readonly number[] = [];
  /** How much of the pending tokens' text is given already. */
  #given = 0;

  constructor(detokenize: TokenSource["detokenize"]) {
    this.#detokenize = detokenize;
  }

  /** The whole characters that `token` brings; "" while it completes none. */
  push(token: number): string {
    const tokens = [...this.#pending, token];
    const text = this.#detokenize(tokens, this.#before);
    const whole = wholeOf(text);
    const fresh = whole.slice(this.#given);
    if (whole === text) this.#settle(tokens);
    else this.#keep(tokens, whole);
    return fresh;
  }

  #settle(tokens: readonly number[]): void {
    this.#before = [...this.#before, ...tokens].slice(-contextTokens);
    this.#pending = [];
    this.#given = 0;
  }

  #keep(tokens: readonly number[], whole: string): void {
    this.#pending = tokens;
    this.#given = whole.length;
    if (tokens.length <= unfinishedTokens) return;
    // Older tokens are let go. What is left may begin amid a character; only its end matters, and that reads the same.
    this.#before = [];
    this.#pending = tokens.slice(-unfinishedTokens);
    this.#given = wholeOf(this.#detokenize(this.#pending, this.#before)).length;
  }
}

function wholeOf(text: string): string {
  return text.endsWith(replacement) ? text.slice(0, -1) : text;
}
