import {
  type LlamaContextSequence,
  type LlamaGrammar,
  LlamaGrammarEvaluationState,
  type LlamaModel,
  type Token,
} from "node-llama-cpp";
import type { WritingOptions } from "../../../shared/message";
import type { OutputType } from "../../../shared/task";
import type { TokenSource } from "../token-source";
import type { Prompt } from "./prompt";
import { samplingOf } from "./sampling";
import type { Place } from "./sequence-pool";

export interface LlamaSourceParts {
  readonly model: LlamaModel;
  /** Has read the prompt but for its last chunk. */
  readonly place: Place;
  readonly prompt: Prompt;
  readonly contextLength: number;
  readonly options: WritingOptions;
  readonly grammar: LlamaGrammar | undefined;
  readonly signal: AbortSignal;
  readonly onToken: () => void;
}

/**
 * One generation's tokens, straight from llama.cpp. While one token becomes text, the next is computed already.
 * States: unread -> (begin) writing -> (end of text, or closed) done.
 */
export class LlamaSource implements TokenSource {
  readonly promptTokens: number;
  readonly thinking: TokenSource["thinking"];
  readonly endTexts: readonly string[];
  readonly #parts: LlamaSourceParts;
  readonly #shown: ReadonlySet<number>;
  readonly #grammar: LlamaGrammarEvaluationState | undefined;
  readonly #iterator: ReturnType<LlamaContextSequence["evaluate"]>;
  /** The step that is being computed, or was and is not taken yet. */
  #ahead: Promise<IteratorResult<Token, void>> | undefined;
  #output: OutputType;
  #written = 0;

  constructor(parts: LlamaSourceParts) {
    const { model, prompt, grammar } = parts;
    this.#parts = parts;
    this.promptTokens = prompt.tokens.length;
    this.thinking = prompt.thinking;
    // A grammar says itself where the text ends, and its strings may hold anything.
    this.endTexts = grammar === undefined ? prompt.endTexts : [];
    this.#shown = markerTokens(model, prompt.thinking);
    this.#grammar = grammar && new LlamaGrammarEvaluationState({ model, grammar });
    this.#output = prompt.thinking?.startsOpen === true ? "reasoning" : "message";
    this.#iterator = this.#evaluate();
  }

  get room(): number {
    return this.#parts.contextLength - this.promptTokens - this.#written;
  }

  /** Reads what is left of the prompt and computes the first token. */
  async begin(): Promise<void> {
    this.#ahead = this.#step();
    await this.#ahead;
  }

  async next(): Promise<number | undefined> {
    const step = await (this.#ahead ?? this.#step());
    this.#ahead = undefined;
    if (step.done === true || this.#parts.prompt.endTokens.has(step.value)) return undefined;
    this.#written += 1;
    this.#parts.onToken();
    if (this.#mayLookAhead()) this.#lookAhead();
    return step.value;
  }

  detokenize(tokens: readonly number[], before: readonly number[]): string {
    const { model } = this.#parts;
    if (!tokens.some((token) => this.#shown.has(token))) {
      return model.detokenize(tokens as Token[], false, before as Token[]);
    }
    return tokens.map((token) => model.detokenize([token as Token], this.#shown.has(token))).join("");
  }

  outputChanged(output: OutputType): void {
    this.#output = output;
  }

  async close(): Promise<void> {
    await this.#ahead?.catch(() => undefined); // whoever asked for it heard why, or nobody did
    await this.#iterator.return();
  }

  /** Not past a limit, and not where the text of this token decides whether the next one follows the grammar. */
  #mayLookAhead(): boolean {
    const { grammar, options } = this.#parts;
    const limit = options.maxTokens ?? Number.POSITIVE_INFINITY;
    return this.#written < limit && this.room > 0 && (grammar === undefined || this.thinking === undefined);
  }

  #lookAhead(): void {
    this.#ahead = this.#step();
    this.#ahead.catch(() => undefined); // `next` throws it, if there is one
  }

  async #step(): Promise<IteratorResult<Token, void>> {
    this.#parts.signal.throwIfAborted();
    const step = await this.#iterator.next().catch(this.#deadEnd);
    this.#parts.signal.throwIfAborted();
    return step;
  }

  /** A grammar may allow no further token: then the text is over. Whether it is whole shows in the text. */
  readonly #deadEnd = (error: unknown): IteratorResult<Token, void> => {
    const isDeadEnd = error instanceof Error && error.message === "Failed to sample next token";
    if (this.#grammar !== undefined && isDeadEnd) return { done: true, value: undefined };
    throw error;
  };

  #evaluate(): ReturnType<LlamaContextSequence["evaluate"]> {
    const { place, prompt, options } = this.#parts;
    const grammar = this.#grammar;
    return place.sequence.evaluate(prompt.tokens.slice(place.read.length) as Token[], {
      ...samplingOf(options),
      ...(grammar && { grammarEvaluationState: () => (this.#output === "message" ? grammar : undefined) }),
    });
  }
}

/** Ids of the tokens that mark the thinking: they must show as text, although a tokenizer may hide them. */
function markerTokens(model: LlamaModel, thinking: TokenSource["thinking"]): ReadonlySet<number> {
  if (thinking === undefined) return new Set();
  const tokens = [thinking.open, thinking.close].flatMap((marker) => model.tokenize(marker, true));
  return new Set(tokens.filter((token) => model.isSpecialToken(token)));
}
