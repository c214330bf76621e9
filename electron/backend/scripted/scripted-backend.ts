import { setImmediate } from "node:timers/promises";
import { ProblemError } from "../../../shared/problem";
import type {
  Backend,
  BackendStats,
  GenerateRequest,
  GenerationStep,
  ModelInfo,
  ModelSpec,
} from "../../engine/backend";
import { type Clock, systemClock } from "../../engine/clock";
import { SharedLoads } from "../shared-loads";
import { write } from "../writing/write";
import { Gate, waitFor } from "./gate";
import { promptTokensOf, type ScriptedModel, scriptedTokens } from "./script";
import { ScriptedSource } from "./scripted-source";
import { Vocabulary } from "./vocabulary";

export interface ScriptedBackendOptions {
  /** By model id; any other model fails to load. */
  readonly models: Readonly<Record<string, ScriptedModel>>;
  readonly clock?: Clock;
  /** Really crashes the process; absent: the open calls fail as they do on this side of a crashed process. */
  readonly crash?: (model: ScriptedModel) => void;
}

interface Loaded {
  readonly info: ModelInfo;
  readonly slots: Gate;
  users: number;
  /** Set while it waits for its users to be unloaded. */
  leaving: { readonly done: Promise<void>; readonly idle: () => void } | undefined;
}

/** A backend that follows scripts. It runs freely but where a script holds it back for the test. */
export class ScriptedBackend implements Backend {
  readonly #options: ScriptedBackendOptions;
  readonly #clock: Clock;
  readonly #gates = new Map<string, Gate>();
  readonly #loads = new SharedLoads<ModelInfo>();
  readonly #loaded = new Map<string, Loaded>();
  readonly #vocabulary = new Vocabulary();
  /** Aborts when everything ends at once: at a crash, and when the backend is closed. */
  #life = new AbortController();
  #closed = false;
  #counts = { generating: 0, generatedTokens: 0, readTokens: 0, loads: 0 };

  constructor(options: ScriptedBackendOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Lets the next `count` tokens of models that hold their tokens through; of `model` only, if named. */
  release(count: number, model?: string): void {
    this.#open("tokens", count, model);
  }

  finishLoad(model?: string): void {
    this.#open("load", 1, model);
  }

  finishReading(model?: string): void {
    this.#open("reading", 1, model);
  }

  async load(spec: ModelSpec, signal: AbortSignal): Promise<ModelInfo> {
    this.#life.signal.throwIfAborted();
    signal.throwIfAborted();
    const loaded = this.#loaded.get(spec.id);
    if (loaded !== undefined && loaded.leaving === undefined) return loaded.info;
    return await this.#loads.join(spec.id, (stop) => this.#load(spec, stop), signal);
  }

  async unload(model: string): Promise<void> {
    const loaded = this.#loaded.get(model);
    if (loaded === undefined) return;
    if (loaded.users === 0) this.#loaded.delete(model);
    else await this.#leave(model, loaded);
  }

  async *generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<GenerationStep> {
    const life = this.#life.signal;
    life.throwIfAborted();
    signal.throwIfAborted();
    const loaded = this.#loaded.get(request.model);
    if (loaded === undefined || loaded.leaving !== undefined)
      throw new Error(`The model ${request.model} is not loaded`);
    const stop = this.#scriptOf(request.model).deaf ? life : AbortSignal.any([signal, life]);
    this.#counts.generating += 1;
    loaded.users += 1;
    try {
      await loaded.slots.pass(stop);
      try {
        yield* this.#write(request, loaded.info, stop);
      } finally {
        loaded.slots.open(1);
      }
    } finally {
      this.#counts.generating -= 1;
      release(loaded);
    }
  }

  async stats(): Promise<BackendStats> {
    return { ...this.#counts, loaded: [...this.#loaded.keys()], pid: process.pid };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#loaded.clear();
    this.#life.abort(new Error("The backend is closed"));
  }

  #scriptOf(model: string): ScriptedModel {
    const script = this.#options.models[model];
    if (script === undefined) throw new ProblemError("model_load_failed", `No script is called "${model}".`);
    return script;
  }

  async #load(spec: ModelSpec, signal: AbortSignal): Promise<ModelInfo> {
    const script = this.#scriptOf(spec.id);
    const stop = script.deaf ? this.#life.signal : AbortSignal.any([signal, this.#life.signal]);
    await this.#loaded.get(spec.id)?.leaving?.done;
    stop.throwIfAborted();
    this.#counts.loads += 1;
    await this.#held("load", spec.id, stop);
    await this.#after(script.loadDelay, stop);
    if (script.crashes === "load") await this.#crash(script, stop);
    if (script.loadFails !== undefined)
      throw new ProblemError("model_load_failed", `The model "${spec.id}" could not be loaded: ${script.loadFails}`);
    const info = {
      id: spec.id,
      contextLength: spec.contextLength ?? script.contextLength ?? 4096,
      parallel: spec.parallel ?? script.parallel ?? 1,
    };
    this.#loaded.set(spec.id, { info, slots: new Gate(info.parallel), users: 0, leaving: undefined });
    return info;
  }

  #leave(model: string, loaded: Loaded): Promise<void> {
    let idle: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => {
      idle = resolve;
    });
    const done = gone.then(() => {
      if (this.#loaded.get(model) === loaded) this.#loaded.delete(model);
    });
    loaded.leaving ??= { done, idle };
    return loaded.leaving.done;
  }

  async *#write(request: GenerateRequest, info: ModelInfo, stop: AbortSignal): AsyncGenerator<GenerationStep> {
    const model = this.#scriptOf(request.model);
    const promptTokens = promptTokensOf(request);
    if (promptTokens >= info.contextLength)
      throw new ProblemError(
        "context_length_exceeded",
        `The prompt has ${promptTokens} tokens; the context of "${info.id}" holds ${info.contextLength}.`,
      );
    await this.#held("reading", request.model, stop);
    stop.throwIfAborted();
    const before = request.snapshot?.tokens ?? [];
    const total = promptTokens + before.length;
    this.#counts.readTokens += total;
    yield { type: "reading", read: total, total };
    const source = new ScriptedSource({
      model,
      vocabulary: this.#vocabulary,
      tokens: scriptedTokens(model, request),
      promptTokens,
      contextLength: info.contextLength,
      before,
      turn: (index) => this.#turn(request.model, index, stop),
    });
    let replayed = before.length;
    for await (const step of write(source, request.options)) {
      if (step.type === "piece") {
        const known = Math.min(replayed, step.tokens.length);
        replayed -= known;
        this.#counts.generatedTokens += step.tokens.length - known;
      }
      yield step;
    }
  }

  async #turn(model: string, index: number, stop: AbortSignal): Promise<void> {
    const script = this.#scriptOf(model);
    await this.#held("tokens", model, stop);
    await this.#after(script.delay, stop);
    // Real tokens take time too: others get their turn between two of them.
    await setImmediate();
    stop.throwIfAborted();
    if (script.crashes === index) await this.#crash(script, stop);
  }

  async #held(what: "load" | "reading" | "tokens", model: string, stop: AbortSignal): Promise<void> {
    if (this.#scriptOf(model).hold?.includes(what)) await this.#gate(what, model).pass(stop);
  }

  async #after(delay: number | undefined, stop: AbortSignal): Promise<void> {
    if (delay !== undefined) await waitFor((done) => this.#clock.after(delay, done), stop);
  }

  #open(what: "load" | "reading" | "tokens", passes: number, only: string | undefined): void {
    for (const [model, script] of Object.entries(this.#options.models)) {
      if ((only === undefined || only === model) && script.hold?.includes(what)) this.#gate(what, model).open(passes);
    }
  }

  #gate(what: string, model: string): Gate {
    const key = `${what} ${model}`;
    const gate = this.#gates.get(key) ?? new Gate();
    this.#gates.set(key, gate);
    return gate;
  }

  /** Never returns: everything that is open fails, or the process ends. */
  async #crash(script: ScriptedModel, stop: AbortSignal): Promise<void> {
    if (this.#options.crash !== undefined) {
      this.#options.crash(script);
      await waitFor(() => () => undefined, stop);
    }
    const life = this.#life;
    this.#life = new AbortController();
    this.#loaded.clear();
    life.abort(new ProblemError("backend_crashed", "The inference process ended unexpectedly, as scripted."));
    stop.throwIfAborted();
  }
}

function release(loaded: Loaded): void {
  loaded.users -= 1;
  if (loaded.users === 0) loaded.leaving?.idle();
}
