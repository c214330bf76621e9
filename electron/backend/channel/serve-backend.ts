import { ProblemError } from "../../../shared/problem";
import type { Backend } from "../../engine/backend";
import { failureOf } from "./failure";
import { type ToProcess, toProcess } from "./messages";
import { Outbox } from "./outbox";
import type { Port } from "./port";

/** Answers the host's calls with a backend on this side. When the channel closes, everything stops. */
export function serveBackend(backend: Backend, port: Port, log: (line: string) => void): void {
  new Server(backend, port, log);
}

type Call = Exclude<ToProcess, { type: "abort" }>;

class Server {
  readonly #backend: Backend;
  readonly #log: (line: string) => void;
  readonly #outbox: Outbox;
  #closing = false;
  /** What each open call is stopped by. */
  readonly #open = new Map<number, AbortController>();

  constructor(backend: Backend, port: Port, log: (line: string) => void) {
    this.#backend = backend;
    this.#log = log;
    this.#outbox = new Outbox((bundle) => port.post(bundle));
    port.onMessage((message) => this.#receive(message));
    port.onClose(() => this.#close());
  }

  #receive(message: unknown): void {
    const parsed = toProcess.safeParse(message);
    if (!parsed.success) this.#refuse(message, parsed.error);
    else if (parsed.data.type === "abort") this.#open.get(parsed.data.id)?.abort();
    else void this.#answer(parsed.data);
  }

  async #answer(call: Call): Promise<void> {
    const stop = new AbortController();
    this.#open.set(call.id, stop);
    try {
      const value = await this.#perform(call, stop.signal);
      this.#outbox.send({ type: "done", id: call.id, value: value ?? null });
    } catch (error) {
      this.#fail(call.id, error, stop.signal.aborted || this.#closing);
    } finally {
      this.#open.delete(call.id);
    }
  }

  async #perform(call: Call, signal: AbortSignal): Promise<unknown> {
    switch (call.type) {
      case "load":
        return await this.#backend.load(call.model, signal);
      case "unload":
        return await this.#backend.unload(call.model);
      case "stats":
        return await this.#backend.stats();
      case "ping":
        return undefined;
      case "close":
        this.#closing = true;
        return await this.#backend.close();
      case "generate":
        for await (const step of this.#backend.generate(call.request, signal)) this.#outbox.step(call.id, step);
    }
  }

  #fail(id: number, error: unknown, expected: boolean): void {
    if (!expected && !(error instanceof ProblemError))
      this.#log(error instanceof Error ? `${error.stack}` : `${error}`);
    this.#outbox.send({ type: "failed", id, failure: failureOf(error) });
  }

  #refuse(message: unknown, error: Error): void {
    this.#log(`A message of the host was not understood: ${error.message}`);
    const id = (message as { id?: unknown } | null)?.id;
    if (typeof id === "number") this.#outbox.send({ type: "failed", id, failure: { bug: "not understood" } });
  }

  /** Nobody hears the answers any more; a closed backend stops all that is open. */
  #close(): void {
    this.#closing = true;
    this.#backend.close().catch((error) => this.#log(`Closing the backend failed: ${error}`));
  }
}
