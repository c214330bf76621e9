import type { ChatWrapper, LlamaContext, LlamaModel } from "node-llama-cpp";
import { ProblemError } from "../../../shared/problem";
import type { GenerateRequest, GenerationStep, ModelInfo } from "../../engine/backend";
import { write } from "../writing/write";
import { chatTemplateOf } from "./chat-template";
import { grammarFor, type JsonGrammar } from "./json-grammar";
import { LlamaSource } from "./llama-source";
import { type Prompt, renderPrompt } from "./prompt";
import { type Place, SequencePool } from "./sequence-pool";

/** Prompt tokens read between two looks at the abort signal: few, since a slow processor reads few a second. */
const processorChunk = 64;
const gpuChunk = 512;
/** Milliseconds between two reports of how much is read. */
const reportInterval = 300;

/** Told of each token, for the statistics. */
export interface TokenCounter {
  read(tokens: number): void;
  generated(): void;
}

/** A model in memory, with its context. Whoever made it disposes it, once nothing generates. */
export class LoadedModel {
  readonly info: ModelInfo;
  readonly #model: LlamaModel;
  readonly #context: LlamaContext;
  readonly #wrapper: ChatWrapper;
  readonly #pool: SequencePool;
  readonly #counter: TokenCounter;

  constructor(info: ModelInfo, model: LlamaModel, context: LlamaContext, counter: TokenCounter) {
    this.info = info;
    this.#model = model;
    this.#context = context;
    this.#counter = counter;
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
    let isSound = true;
    try {
      yield* this.#read(place, prompt.tokens, signal);
      yield* this.#write(place, prompt, request, json, signal);
    } catch (error) {
      isSound = signal.aborted || error instanceof ProblemError;
      throw error;
    } finally {
      if (isSound) this.#pool.give(place);
      else await this.#pool.replace(place);
    }
  }

  async dispose(): Promise<void> {
    await this.#context.dispose();
    await this.#model.dispose();
  }

  #promptOf({ messages }: GenerateRequest): Prompt {
    const prompt = renderPrompt(this.#model, this.#wrapper, messages);
    const { contextLength } = this.info;
    if (prompt.tokens.length < contextLength) return prompt;
    throw new ProblemError(
      "context_length_exceeded",
      `The prompt has ${prompt.tokens.length} tokens. The context of this model has ${contextLength}, and the answer needs at least one.`,
    );
  }

  /** Reads the prompt all but its last chunk, which is read together with the first token that is written. */
  async *#read(place: Place, tokens: readonly number[], signal: AbortSignal): AsyncGenerator<GenerationStep> {
    let reportedAt = performance.now();
    for await (const chunk of this.#pool.read(place, tokens, signal)) {
      this.#counter.read(chunk);
      if (performance.now() - reportedAt < reportInterval) continue;
      reportedAt = performance.now();
      yield { type: "reading", read: place.read.length, total: tokens.length };
    }
  }

  async *#write(
    place: Place,
    prompt: Prompt,
    { options }: GenerateRequest,
    json: JsonGrammar | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<GenerationStep> {
    const { contextLength } = this.info;
    const grammar = json?.grammar;
    const onToken = () => this.#counter.generated();
    const source = new LlamaSource({
      model: this.#model,
      place,
      prompt,
      contextLength,
      options,
      grammar,
      signal,
      onToken,
    });
    try {
      await source.begin();
      const total = prompt.tokens.length;
      this.#counter.read(total - place.read.length);
      yield { type: "reading", read: total, total };
      const steps = write(source, options);
      yield* json === undefined ? steps : json.checked(steps);
    } finally {
      await source.close();
    }
  }
}
