import { ProblemError } from "../../shared/problem";
import type { Backend, BackendStats, GenerateRequest, GenerationStep, ModelInfo, ModelSpec } from "../engine/backend";
import { type Clock, systemClock } from "../engine/clock";
import type { ModelsAside } from "../engine/models";
import type { AsideFile } from "./aside-file";
import type { InferenceProcess } from "./inference-process";
import { LoadCrashes } from "./load-crashes";
import type { Log } from "./log";
import { systemKillsSoFar } from "./out-of-memory";
import type { ProcessRecord } from "./process-record";
import { RestartDelay } from "./restart-delay";
import { SupervisedProcess } from "./supervised-process";

export interface ProcessBackendOptions {
  readonly clock?: Clock;
  /** Milliseconds until a call that does not stop costs the process. */
  readonly cancelBound?: number;
  /** Milliseconds of silence that cost the process, while this one is awake. */
  readonly hangBound?: number;
  /** Milliseconds that the process has to end when it is asked to. */
  readonly closeBound?: number;
  readonly log?: Log;
  /** Where the process is noted while it runs. */
  readonly record?: Pick<ProcessRecord, "note" | "clear">;
  /** Where it is kept which models are put aside. */
  readonly aside?: AsideFile;
  /** How many processes the system has ended for want of memory so far. */
  readonly systemKills?: () => number;
  /** Told why the process was lost, and null once one works again. */
  readonly onTrouble?: (trouble: string | null) => void;
  /** Told which models are loaded, whenever that changes. */
  readonly onLoaded?: (models: readonly string[]) => void;
}

const idle: BackendStats = { generating: 0, generatedTokens: 0, readTokens: 0, loaded: [], loads: 0, pid: 0 };

/**
 * The backend in a process of its own, which starts with the first load and which we may lose or replace.
 * States: none -> (a load) running -> ended -> none. After a crash the next start waits, longer with each in a row.
 * A model has to be loaded again in the next process; until then `generate` throws what ended the last one.
 */
export class ProcessBackend implements Backend {
  readonly #spawn: () => InferenceProcess;
  readonly #clock: Clock;
  readonly #cancelBound: number;
  readonly #hangBound: number;
  readonly #closeBound: number;
  readonly #systemKills: () => number;
  readonly #record: ProcessBackendOptions["record"];
  readonly #log: (line: string) => void;
  readonly #onTrouble: (trouble: string | null) => void;
  readonly #onLoaded: (models: readonly string[]) => void;
  readonly #delay: RestartDelay;
  readonly #loadCrashes: LoadCrashes;
  /** Models that went with their process, and how it ended. */
  readonly #lost = new Map<string, Error>();
  #current: SupervisedProcess | undefined;
  #closing: Promise<void> | undefined;

  constructor(spawn: () => InferenceProcess, options: ProcessBackendOptions = {}) {
    this.#spawn = spawn;
    this.#clock = options.clock ?? systemClock;
    this.#cancelBound = options.cancelBound ?? 5_000;
    this.#hangBound = options.hangBound ?? 30_000;
    this.#closeBound = options.closeBound ?? 2_000;
    this.#delay = new RestartDelay(this.#clock);
    this.#systemKills = options.systemKills ?? systemKillsSoFar;
    this.#record = options.record;
    this.#loadCrashes = new LoadCrashes(options.aside);
    this.#log = (line) => options.log?.warn(line);
    this.#onTrouble = options.onTrouble ?? (() => undefined);
    this.#onLoaded = options.onLoaded ?? (() => undefined);
  }

  /** The models that are not loaded any more, because loading them crashed the process. */
  get aside(): ModelsAside {
    return this.#loadCrashes;
  }

  async load(model: ModelSpec, signal: AbortSignal): Promise<ModelInfo> {
    const process = await this.#start(model, signal);
    const call = Symbol(model.id);
    process.loading.set(call, model);
    try {
      const info = await process.backend.load(model, signal);
      process.loaded.add(model.id);
      this.#onLoaded([...process.loaded]);
      this.#lost.delete(model.id);
      this.#loadCrashes.forgive(model.id);
      this.#onTrouble(null);
      return info;
    } finally {
      process.loading.delete(call);
    }
  }

  async unload(model: string): Promise<void> {
    this.#lost.delete(model);
    const process = this.#current;
    if (!process?.isRunning) return;
    process.loaded.delete(model);
    this.#onLoaded([...process.loaded]);
    try {
      await process.backend.unload(model);
    } catch (error) {
      if (process.isRunning) throw error;
      // The process is gone, and the model with it.
    }
  }

  async *generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<GenerationStep> {
    signal.throwIfAborted();
    const process = this.#current;
    if (process === undefined || !process.loaded.has(request.model)) throw this.#notLoaded(request.model);
    for await (const step of process.backend.generate(request, signal)) {
      if (step.type === "ended") this.#delay.recovered();
      yield step;
    }
  }

  async stats(): Promise<BackendStats> {
    const process = this.#current;
    if (!process?.isRunning) return idle;
    try {
      return await process.backend.stats();
    } catch (error) {
      if (process.isRunning) throw error;
      return idle;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#delay.end();
    await this.#current?.close(this.#closeBound);
  }

  /** The running process; started when there is none, as soon as that may be. */
  async #start(model: ModelSpec, signal: AbortSignal): Promise<SupervisedProcess> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#closing !== undefined) throw new Error("The backend is closed");
      this.#loadCrashes.check(model);
      if (this.#current?.isRunning) return this.#current;
      const before = this.#current?.gone ?? this.#delay.over;
      if (before === undefined) return this.#spawnNow();
      await unlessAborted(before, signal);
    }
  }

  #spawnNow(): SupervisedProcess {
    const process = new SupervisedProcess(this.#spawn(), {
      clock: this.#clock,
      cancelBound: this.#cancelBound,
      hangBound: this.#hangBound,
      systemKills: this.#systemKills,
      log: this.#log,
      onStart: (pid) => this.#record?.note(pid),
      onEnd: (...end) => this.#ended(...end),
    });
    this.#current = process;
    return process;
  }

  #ended(process: SupervisedProcess, error: Error, crashed: boolean): void {
    this.#current = undefined;
    this.#record?.clear();
    for (const model of process.loaded) this.#lost.set(model, error);
    this.#onLoaded([]);
    if (!crashed) return;
    this.#onTrouble(error.message);
    const suspects = new Map([...process.loading.values()].map((model) => [model.id, model]));
    for (const model of suspects.values()) {
      // Of a loaded model a load only says that it is.
      if (!process.loaded.has(model.id)) this.#loadCrashes.crashed(model, messageOf(error), this.#clock.now());
    }
    this.#delay.crashed();
  }

  #notLoaded(model: string): Error {
    if (this.#closing !== undefined) return new Error("The backend is closed");
    return this.#lost.get(model) ?? new Error(`The model ${model} is not loaded`);
  }
}

/** As it is told, without the code before it. */
function messageOf(error: Error): string {
  return error instanceof ProblemError ? error.problem.detail : error.message;
}

function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    void promise.then(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    });
  });
}
