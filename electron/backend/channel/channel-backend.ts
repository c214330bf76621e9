import type { z } from "zod";
import { ProblemError } from "../../../shared/problem";
import type {
  Backend,
  BackendStats,
  GenerateRequest,
  GenerationStep,
  ModelInfo,
  ModelSpec,
} from "../../engine/backend";
import { Call } from "./call";
import { errorOf } from "./failure";
import { backendStats, modelInfo, type ToHost, type ToProcess, toHostBundle } from "./messages";
import type { Port } from "./port";

export interface ChannelHooks {
  /** An open call was told to stop; what it returns is called once that has happened. */
  readonly stopping?: () => () => void;
  /** The other side said something. */
  readonly heard?: () => void;
  /** The channel is closed; default: all calls fail with `backend_crashed`. */
  readonly closed?: (why: string) => void;
  /** The other side speaks another language; default: likewise. */
  readonly garbled?: (why: string) => void;
}

// `Omit` over each member of the union.
type Body<T = ToProcess> = T extends { id: number } ? Omit<T, "id"> : never;

/** The backend at the other end of a channel. States: open -> failed (for good; `fail` says with what). */
export class ChannelBackend implements Backend {
  readonly #port: Port;
  readonly #hooks: ChannelHooks;
  readonly #calls = new Map<number, Call>();
  #lastId = 0;
  #failure: Error | undefined;
  #closing: Promise<void> | undefined;

  constructor(port: Port, hooks: ChannelHooks = {}) {
    this.#port = port;
    this.#hooks = hooks;
    port.onMessage((message) => this.#receive(message));
    port.onClose(() => this.#lost("The channel to the inference process is closed.", hooks.closed));
  }

  async load(model: ModelSpec, signal: AbortSignal): Promise<ModelInfo> {
    return await this.#ask({ type: "load", model }, modelInfo, signal);
  }

  async unload(model: string): Promise<void> {
    await this.#begin({ type: "unload", model }).value();
  }

  async *generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<GenerationStep> {
    const call = this.#begin({ type: "generate", request: request as GenerateBody }, signal);
    try {
      for (let steps = await call.next(); steps !== undefined; steps = await call.next()) {
        for (const step of steps) {
          yield step;
          signal.throwIfAborted();
        }
      }
    } finally {
      await call.stopped();
    }
  }

  async stats(): Promise<BackendStats> {
    return await this.#ask({ type: "stats" }, backendStats);
  }

  /** Makes the other side say something, whatever else it does. */
  ping(): void {
    if (this.#failure === undefined) this.#port.post({ type: "ping", id: ++this.#lastId });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Ends all calls, those to come too. */
  fail(error: Error): void {
    this.#failure ??= error;
    for (const call of [...this.#calls.values()]) call.settle({ error: this.#failure });
  }

  async #close(): Promise<void> {
    if (this.#failure === undefined) await this.#begin({ type: "close" }).value();
    this.fail(new Error("The backend is closed"));
    this.#port.close();
  }

  async #ask<T>(body: Body, schema: z.ZodType<T>, signal?: AbortSignal): Promise<T> {
    return schema.parse(await this.#begin(body, signal).value());
  }

  #begin(body: Body, signal?: AbortSignal): Call {
    if (this.#failure !== undefined) throw this.#failure;
    signal?.throwIfAborted();
    const id = ++this.#lastId;
    let stopped: (() => void) | undefined;
    const call = new Call(
      {
        stop: () => {
          this.#port.post({ type: "abort", id });
          stopped = this.#hooks.stopping?.();
        },
        settled: () => {
          this.#calls.delete(id);
          stopped?.();
        },
      },
      signal,
    );
    this.#calls.set(id, call);
    this.#port.post({ ...body, id });
    return call;
  }

  #receive(message: unknown): void {
    this.#hooks.heard?.();
    const bundle = toHostBundle.safeParse(message);
    if (!bundle.success)
      this.#lost(`A message of the inference process was not understood: ${bundle.error.message}`, this.#hooks.garbled);
    else for (const one of bundle.data) this.#hear(one);
  }

  #hear(message: ToHost): void {
    const call = this.#calls.get(message.id);
    if (message.type === "steps") call?.receive(message.steps);
    else if (message.type === "done") call?.settle({ value: message.value });
    else call?.settle({ error: errorOf(message.failure) });
  }

  #lost(why: string, told: ((why: string) => void) | undefined): void {
    if (told !== undefined) told(why);
    else this.fail(new ProblemError("backend_crashed", why));
  }
}

type GenerateBody = Extract<ToProcess, { type: "generate" }>["request"];
