import { setTimeout } from "node:timers/promises";
import type { Llama } from "node-llama-cpp";
import type {
  Backend,
  BackendStats,
  GenerateRequest,
  GenerationStep,
  ModelInfo,
  ModelSpec,
} from "../../engine/backend";
import { SharedLoads } from "../shared-loads";
import { loadModel, startLlama } from "./load-model";
import type { Log, TokenCounter } from "./loaded-model";
import { ResidentModel } from "./resident-model";

const disposeBound = 500;

/**
 * Runs models with llama.cpp in the very process it lives in, which native code can crash.
 * Open until `close`; a model is absent -> loading (SharedLoads) -> ready -> leaving (ResidentModel) -> absent.
 */
export class LlamaBackend implements Backend {
  readonly #log: Log;
  readonly #now: () => number;
  readonly #loads = new SharedLoads<ResidentModel>();
  readonly #loading = new Set<Promise<unknown>>();
  readonly #residents = new Map<string, ResidentModel>();
  /** Aborts when the backend is closed. */
  readonly #life = new AbortController();
  readonly #counts = { generating: 0, generatedTokens: 0, readTokens: 0, loads: 0 };
  readonly #counter: TokenCounter = {
    read: (tokens) => {
      this.#counts.readTokens += tokens;
    },
    generated: () => {
      this.#counts.generatedTokens += 1;
    },
  };
  #llama: Promise<Llama> | undefined;
  #closed: Promise<void> | undefined;

  /** `now`: milliseconds that only grow, for when the state of a run is kept. */
  constructor(log: Log, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  async load(spec: ModelSpec, signal: AbortSignal): Promise<ModelInfo> {
    this.#life.signal.throwIfAborted();
    signal.throwIfAborted();
    const resident = this.#residents.get(spec.id);
    if (resident !== undefined && resident.gone === undefined) return resident.info;
    return (await this.#loads.join(spec.id, (stop) => this.#track(this.#load(spec, stop)), signal)).info;
  }

  async unload(model: string): Promise<void> {
    const resident = this.#residents.get(model);
    await resident?.leave();
    if (this.#residents.get(model) === resident) this.#residents.delete(model);
  }

  async *generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<GenerationStep> {
    this.#life.signal.throwIfAborted();
    signal.throwIfAborted();
    const resident = this.#residents.get(request.model);
    if (resident === undefined || resident.gone !== undefined) {
      throw new Error(`The model ${request.model} is not loaded.`);
    }
    const stop = AbortSignal.any([signal, this.#life.signal]);
    this.#counts.generating += 1;
    try {
      yield* resident.lend((model) => model.generate(request, stop));
    } finally {
      this.#counts.generating -= 1;
    }
  }

  async stats(): Promise<BackendStats> {
    const ready = [...this.#residents].filter(([, resident]) => resident.gone === undefined);
    return { ...this.#counts, loaded: ready.map(([id]) => id), pid: process.pid };
  }

  close(): Promise<void> {
    this.#closed ??= this.#stopAll();
    return this.#closed;
  }

  async #load(spec: ModelSpec, signal: AbortSignal): Promise<ResidentModel> {
    const stop = AbortSignal.any([signal, this.#life.signal]);
    // Never two of one model in memory.
    await abortable(this.#residents.get(spec.id)?.gone, stop);
    this.#counts.loads += 1;
    const model = await loadModel(
      await this.#start(spec.gpu),
      spec,
      { counter: this.#counter, log: this.#log, now: this.#now },
      stop,
    );
    const resident = new ResidentModel(model);
    this.#residents.set(spec.id, resident);
    if (stop.aborted) await resident.leave();
    stop.throwIfAborted();
    return resident;
  }

  /** One llama.cpp per process; the first load decides whether it may use a GPU. */
  #start(gpu: boolean): Promise<Llama> {
    this.#llama ??= startLlama(gpu, this.#log).catch((error) => {
      this.#llama = undefined;
      throw error;
    });
    return this.#llama;
  }

  /** Lets `close` wait for loads that are under way. */
  #track<T>(load: Promise<T>): Promise<T> {
    const over: Promise<unknown> = load.catch(() => undefined).finally(() => this.#loading.delete(over));
    this.#loading.add(over);
    return load;
  }

  async #stopAll(): Promise<void> {
    this.#life.abort(new Error("The backend is closed."));
    await Promise.all(this.#loading);
    await Promise.all([...this.#residents.values()].map((resident) => resident.leave()));
    // The library may wait here for the garbage collector, which may never come; all models are gone already.
    await Promise.race([(await this.#llama)?.dispose(), setTimeout(disposeBound, undefined, { ref: false })]);
  }
}

/** `promise`, or the signal's reason as soon as it aborts. */
function abortable<T>(promise: Promise<T> | undefined, signal: AbortSignal): Promise<T | undefined> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    Promise.resolve(promise)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}
