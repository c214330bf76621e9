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
import { acceptToken } from "./accept-token";
import type { Prompt } from "./prompt";
import { type Sampling, samplingOf } from "./sampling";
import type { Place } from "./sequence-pool";

export interface LlamaSourceParts {
  readonly model: LlamaModel;
  /** Has read the prompt but for its last chunk; of a text that goes on, all but the last token. */
  readonly place: Place;
  readonly prompt: Prompt;
  /** Ids of the text so far. */
  readonly before: readonly number[];
  readonly contextLength: number;
  readonly options: WritingOptions;
  readonly grammar: LlamaGrammar | undefined;
  readonly signal: AbortSignal;
  readonly onToken: () => void;
}

/**
 * One generation's tokens, straight from llama.cpp. While one token becomes text, the next is computed already.
 * States: unread -> (begin) writing -> (end of text, or closed) done. A text that goes on begins with the tokens that it
 * has, which are not computed.
 */
export class LlamaSource implements TokenSource {
  readonly promptTokens: number;
  readonly thinking: TokenSource["thinking"];
  readonly endTexts: readonly string[];
  readonly #parts: LlamaSourceParts;
  readonly #shown: ReadonlySet<number>;
  readonly #grammar: LlamaGrammarEvaluationState | undefined;
  readonly #sampling: Sampling;
  #iterator: ReturnType<LlamaContextSequence["evaluate"]> | undefined;
  /** What the next step evaluates. */
  #pending: readonly number[];
  /** Tokens that are decided, taken or not. */
  #decided: number;
  /** The step that is being computed, or was and is not taken yet. */
  #ahead: Promise<IteratorResult<Token, void>> | undefined;
  #output: OutputType;
  #written = 0;

  constructor(parts: LlamaSourceParts) {
    const { model, prompt, grammar, before, place } = parts;
    this.#parts = parts;
    this.#sampling = samplingOf(parts.options);
    this.#decided = before.length;
    this.#pending = before.length === 0 ? prompt.tokens.slice(place.read.length) : before.slice(-1);
    this.promptTokens = prompt.tokens.length;
    this.thinking = prompt.thinking;
    // A grammar says itself where the text ends, and its strings may hold anything.
    this.endTexts = grammar === undefined ? prompt.endTexts : [];
    this.#shown = markerTokens(model, prompt.thinking);
    this.#grammar = grammar && new LlamaGrammarEvaluationState({ model, grammar });
    this.#output = prompt.thinking?.startsOpen === true ? "reasoning" : "message";
  }

  get room(): number {
    return this.#parts.contextLength - this.promptTokens - this.#written;
  }

  /** Reads what is left of the prompt and computes the first token. */
  async begin(): Promise<void> {
    // The grammar has to pass the tokens of a text that goes on first.
    if (this.#parts.before.length > 0) return;
    this.#ahead = this.#step();
    await this.#ahead;
  }

  async next(): Promise<number | undefined> {
    const known = this.#parts.before[this.#written];
    if (known !== undefined) return this.#pass(known);
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
    await this.#iterator?.return();
  }

  #pass(token: number): number {
    this.#parts.signal.throwIfAborted();
    if (this.#grammar !== undefined && this.#output === "message")
      acceptToken(this.#parts.model.llama, this.#grammar, token);
    this.#written += 1;
    return token;
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
    const iterator = await this.#evaluation();
    const step = await iterator.next().catch(this.#deadEnd);
    this.#parts.signal.throwIfAborted();
    if (step.done !== true) {
      this.#decided += 1;
      this.#pending = [step.value];
    }
    return step;
  }

  /** A grammar may allow no further token: then the text is over. Whether it is whole shows in the text. */
  readonly #deadEnd = (error: unknown): IteratorResult<Token, void> => {
    const isDeadEnd = error instanceof Error && error.message === "Failed to sample next token";
    if (this.#grammar !== undefined && isDeadEnd) return { done: true, value: undefined };
    throw error;
  };

  /** One for the whole text; but where tokens are drawn, each has its own, because each has its own seed. */
  async #evaluation(): Promise<ReturnType<LlamaContextSequence["evaluate"]>> {
    if (this.#iterator !== undefined && this.#sampling.isGreedy) return this.#iterator;
    await this.#iterator?.return();
    const grammar = this.#grammar;
    this.#iterator = this.#parts.place.sequence.evaluate(this.#pending as Token[], {
      ...this.#sampling.at(this.#decided),
      ...(grammar && { grammarEvaluationState: () => (this.#output === "message" ? grammar : undefined) }),
    });
    return this.#iterator;
  }
}

/** Ids of the tokens that mark the thinking: they must show as text, although a tokenizer may hide them. */
function markerTokens(model: LlamaModel, thinking: TokenSource["thinking"]): ReadonlySet<number> {
  if (thinking === undefined) return new Set();
  const tokens = [thinking.open, thinking.close].flatMap((marker) => model.tokenize(marker, true));
  return new Set(tokens.filter((token) => model.isSpecialToken(token)));
}
