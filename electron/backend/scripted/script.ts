import type { GenerateRequest } from "../../engine/backend";
import type { TokenSource } from "../token-source";
import { cut } from "./vocabulary";

/** What a scripted model does. All but `answer` is plain data, so that a script can cross to another process. */
export interface ScriptedModel {
  /** What it writes; `cut` says what a token is (default: words). */
  readonly text?: string;
  readonly cut?: "bytes" | "characters" | "words";
  /** What it writes, token by token in bytes, instead of `text`. */
  readonly tokens?: readonly (readonly number[])[];
  /** What it writes to this request, instead of `text`. */
  readonly answer?: (request: GenerateRequest) => string;
  /** Begins again when it is through, for ever. */
  readonly endless?: boolean;
  readonly thinking?: TokenSource["thinking"];
  readonly endTexts?: readonly string[];
  /** Default 4096. A prompt has as many tokens as words, and one per message. */
  readonly contextLength?: number;
  /** Default 1. */
  readonly parallel?: number;
  /** What waits until the test lets it through: `finishLoad`, `finishReading`, `release`. */
  readonly hold?: readonly ("load" | "reading" | "tokens")[];
  /** Milliseconds on the clock, per token and for the load. */
  readonly delay?: number;
  readonly loadDelay?: number;
  /** The load fails with `model_load_failed` and these words. */
  readonly loadFails?: string;
  /** The backend crashes while it loads this model, or before its token number n (from 0). */
  readonly crashes?: "load" | number;
  /** How a real process crashes: by this signal (default SIGSEGV), by an exit with 0, busy for ever, or for want of memory. */
  readonly crash?: "SIGSEGV" | "SIGABRT" | "SIGKILL" | "exit" | "busy" | "memory";
  /** Ignores that its caller aborts, as native code that hangs would. */
  readonly deaf?: boolean;
}

const defaultText = "This text was written by a script.";

/** The tokens that the model writes to a request. */
export function scriptedTokens(model: ScriptedModel, request: GenerateRequest): readonly (readonly number[])[] {
  return model.tokens ?? cut(model.answer?.(request) ?? model.text ?? defaultText, model.cut ?? "words");
}

export function promptTokensOf({ messages }: GenerateRequest): number {
  return messages.reduce((total, { text }) => total + 1 + cut(text, "words").length, 0);
}
