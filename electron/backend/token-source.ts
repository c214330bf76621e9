import type { OutputType } from "../../shared/task";

/** Where a generation gets its tokens: llama.cpp, or a script. The text side of writing is the same for both. */
export interface TokenSource {
  /** The model's next token; undefined at its own end. Rejects with `signal.reason` once stopped. */
  next(): Promise<number | undefined>;
  /** The text of `tokens` that follow `before`; a cut character becomes U+FFFD. */
  detokenize(tokens: readonly number[], before: readonly number[]): string;
  readonly promptTokens: number;
  /** Tokens that still fit into the context. */
  readonly room: number;
  /** How the model marks its thinking; undefined when it does not think. */
  readonly thinking?: { readonly open: string; readonly close: string; readonly startsOpen: boolean } | undefined;
  /** Texts other than end tokens at which the chat template ends the turn. */
  readonly endTexts: readonly string[];
  /** Told when the output changes between thinking and answer, before the next token is asked for. */
  outputChanged?(output: OutputType): void;
}
