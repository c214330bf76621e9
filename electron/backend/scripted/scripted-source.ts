import type { TokenSource } from "../token-source";
import type { ScriptedModel } from "./script";
import type { Vocabulary } from "./vocabulary";

export interface ScriptedSourceParts {
  readonly model: ScriptedModel;
  readonly vocabulary: Vocabulary;
  readonly tokens: readonly (readonly number[])[];
  readonly promptTokens: number;
  readonly contextLength: number;
  /** Ids of the text so far: they need no turn. */
  readonly before: readonly number[];
  /** Waits for the turn of token number `index`; throws when the run is over. */
  readonly turn: (index: number) => Promise<void>;
}

/** The tokens of a script, one by one. */
export class ScriptedSource implements TokenSource {
  readonly #parts: ScriptedSourceParts;
  #written = 0;

  constructor(parts: ScriptedSourceParts) {
    this.#parts = parts;
  }

  get promptTokens(): number {
    return this.#parts.promptTokens;
  }

  get room(): number {
    return this.#parts.contextLength - this.#parts.promptTokens - this.#written;
  }

  get thinking(): TokenSource["thinking"] {
    return this.#parts.model.thinking;
  }

  get endTexts(): readonly string[] {
    return this.#parts.model.endTexts ?? [];
  }

  async next(): Promise<number | undefined> {
    const { model, tokens, vocabulary, before, turn } = this.#parts;
    const known = before[this.#written];
    if (known === undefined) await turn(this.#written);
    const bytes = tokens[model.endless ? this.#written % tokens.length : this.#written];
    if (bytes === undefined) return undefined;
    this.#written += 1;
    const id = vocabulary.idOf(bytes);
    return known ?? id;
  }

  detokenize(tokens: readonly number[]): string {
    return this.#parts.vocabulary.detokenize(tokens);
  }
}
