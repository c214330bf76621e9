import type { ChatWrapper, LlamaContext, LlamaModel } from "node-llama-cpp";
import { ProblemError } from "../../../shared/problem";
import type { GenerateRequest, GenerationStep, ModelInfo } from "../../engine/backend";
import { write } from "../writing/write";
import { chatTemplateOf } from "./chat-template";
import { grammarFor, type JsonGrammar } from "./json-grammar";
import { LlamaSource } from "./llama-source";
import { type Prompt, renderPrompt } from "./prompt";
import { readText, type TextToRead } from "./read-text";
import { type Place, SequencePool } from "./sequence-pool";
import type { StateOrigin } from "./state-file";
import { SavePauses, StateKeeper } from "./state-keeper";

/** Prompt tokens read between two looks at the abort signal: few, since a slow processor reads few a second. */
const processorChunk = 64;
const gpuChunk = 512;
/** Milliseconds between two reports of how much is read. */
const reportInterval = 300;

export type Log = (line: string) => void;

/** Told of each token, for the statistics. */
export interface TokenCounter {
  read(tokens: number): void;
  generated(): void;
}

/** What a model tells its surroundings, and asks of them. */
export interface ModelHooks {
  readonly counter: TokenCounter;
  readonly log: Log;
  /** Milliseconds that only grow. */
  readonly now: () => number;
}

export interface LoadedModelParts extends ModelHooks {
  readonly info: ModelInfo;
  readonly model: LlamaModel;
  readonly context: LlamaContext;
  /** What the states of its contexts belong to. */
  readonly origin: Omit<StateOrigin, "contextSize">;
}

/** A model in memory, with its context. Whoever made it disposes it, once nothing generates. */
export class LoadedModel {
  readonly info: ModelInfo;
  readonly #model: LlamaModel;
  readonly #context: LlamaContext;
  readonly #wrapper: ChatWrapper;
  readonly #pool: SequencePool;
  readonly #counter: TokenCounter;
  readonly #origin: Omit<StateOrigin, "contextSize">;
  readonly #pauses = new SavePauses();
  readonly #log: Log;
  readonly #now: () => number;

  constructor({ info, model, context, counter, origin, log, now }: LoadedModelParts) {
    this.info = info;
    this.#model = model;
    this.#context = context;
    this.#counter = counter;
    this.#origin = origin;
    this.#log = log;
    this.#now = now;
    this.#wrapper = chatTemplateOf(model);
    this.#pool = new SequencePool(context, model.gpuLayers > 0 ? gpuChunk : processorChunk);
  }

  /** Places that no generation holds; `info.parallel` when idle. */
  get freePlaces(): number {
    return this.#pool.free;
  }

  async *generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<GenerationStep> {
    signal.throwIfAborted();
    const prompt = this.#promptOf(request);
    const json = await grammarFor(this.#model.llama, request.options.format);
    const place = await this.#pool.take(prompt.tokens, signal);
    const keeper = this.#keeperOf(place, request);
    const before = request.snapshot?.tokens ?? [];
    let isSound = true;
    try {
      const held = await this.#restore(place, prompt.tokens, before, keeper);
      yield* this.#read(place, { prompt: prompt.tokens, before, held }, keeper, signal);
      yield* this.#write(place, prompt, request, json, keeper, signal);
    } catch (error) {
      isSound = signal.aborted || error instanceof ProblemError;
      throw error;
    } finally {
      await keeper?.settled();
      if (isSound) this.#pool.give(place);
      else await this.#pool.replace(place);
    }
  }

  async dispose(): Promise<void> {
    await this.#context.dispose();
    await this.#model.dispose();
  }

  #promptOf({ messages, snapshot }: GenerateRequest): Prompt {
    const prompt = renderPrompt(this.#model, this.#wrapper, messages);
    const { contextLength } = this.info;
    const before = snapshot?.tokens.length ?? 0;
    if (prompt.tokens.length < contextLength && prompt.tokens.length + before <= contextLength) return prompt;
    const text = before === 0 ? "" : ` and the text so far ${before}`;
    throw new ProblemError(
      "context_length_exceeded",
      `The prompt has ${prompt.tokens.length} tokens${text}. The context of this model has ${contextLength}, and the answer needs at least one.`,
    );
  }

  #keeperOf({ sequence }: Place, { snapshot }: GenerateRequest): StateKeeper | undefined {
    const { file } = snapshot ?? {};
    if (file === undefined || file === null) return undefined;
    const origin = { ...this.#origin, contextSize: sequence.contextSize };
    return new StateKeeper({ sequence, file, origin, pauses: this.#pauses, log: this.#log, now: this.#now });
  }

  /** How many tokens of the prompt and the text so far the place then holds. */
  async #restore(
    place: Place,
    prompt: readonly number[],
    before: readonly number[],
    keeper: StateKeeper | undefined,
  ): Promise<number> {
    const all = [...prompt, ...before];
    const usable = (shared: number): number => {
      const most = Math.min(shared, all.length - 1);
      // The prompt is read in whole chunks, or it would not be read as it was.
      return most < prompt.length ? this.#pool.wholeChunks(most + 1) : most;
    };
    const held = await keeper?.restore(all, usable);
    if (held === undefined) return place.read.length;
    place.read = prompt.slice(0, this.#pool.wholeChunks(Math.min(held + 1, prompt.length)));
    return held;
  }

  /** Reads all but what is read together with the first token that is written. */
  async *#read(
    place: Place,
    text: TextToRead,
    keeper: StateKeeper | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<GenerationStep> {
    const total = text.prompt.length + text.before.length;
    let read = text.held;
    let reportedAt = performance.now();
    for await (const tokens of readText(this.#pool, place, text, signal)) {
      this.#counter.read(tokens);
      read += tokens;
      keeper?.tick();
      if (performance.now() - reportedAt < reportInterval) continue;
      reportedAt = performance.now();
      yield { type: "reading", read, total };
    }
  }

  async *#write(
    place: Place,
    prompt: Prompt,
    { options, snapshot }: GenerateRequest,
    json: JsonGrammar | undefined,
    keeper: StateKeeper | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<GenerationStep> {
    const { contextLength } = this.info;
    const before = snapshot?.tokens ?? [];
    const grammar = json?.grammar;
    const onToken = () => this.#counter.generated();
    const source = new LlamaSource({
      model: this.#model,
      place,
      prompt,
      before,
      contextLength,
      options,
      grammar,
      signal,
      onToken,
    });
    try {
      await source.begin();
      const total = prompt.tokens.length + before.length;
      this.#counter.read(before.length === 0 ? prompt.tokens.length - place.read.length : 1);
      yield { type: "reading", read: total, total };
      const steps = write(source, options);
      for await (const step of json === undefined ? steps : json.checked(steps)) {
        yield step;
        keeper?.tick();
      }
    } finally {
      await source.close();
    }
  }
}
