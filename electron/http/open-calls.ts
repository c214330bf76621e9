import type { ServerResponse } from "node:http";
import { ProblemError } from "../../shared/problem";
import type { Credential } from "./auth";

/** Why an open call was ended from outside. */
export type CallEnd = "caller left" | "token void" | "server stops";

/** A call whose answer takes long. The signal aborts, with a `CallEnd` as its reason, when there is nobody to answer. */
export interface OpenCall {
  readonly signal: AbortSignal;
  close(): void;
}

/**
 * The calls that last. A call is open from `open` until its `close`; it is told when its caller leaves, when its
 * caller's token becomes void and when the server stops. Event streams are counted per client.
 */
export class OpenCalls {
  readonly #streamsPerClient: number;
  readonly #streams = new Map<string, number>();
  readonly #controllers = new Set<AbortController>();

  constructor(streamsPerClient: number) {
    this.#streamsPerClient = streamsPerClient;
  }

  /** How many are open. */
  get count(): number {
    return this.#controllers.size;
  }

  open({ ended }: Credential, response: ServerResponse): OpenCall {
    const controller = new AbortController();
    const leave = () => controller.abort("caller left" satisfies CallEnd);
    const expel = () => {
      controller.abort("token void" satisfies CallEnd);
      // A reader that does not take what was written would keep the stream open.
      if (response.writableLength > 0) response.destroy();
    };
    // Not the request's "close": that comes as soon as its body was read.
    response.once("close", leave);
    ended.addEventListener("abort", expel);
    if (response.destroyed) leave();
    if (ended.aborted) expel();
    this.#controllers.add(controller);
    return {
      signal: controller.signal,
      close: () => {
        response.off("close", leave);
        ended.removeEventListener("abort", expel);
        this.#controllers.delete(controller);
      },
    };
  }

  /** Throws ProblemError `rate_limited` when the client has too many streams open already. */
  openStream(credential: Credential, response: ServerResponse): OpenCall {
    const { client } = credential;
    const count = this.#streams.get(client) ?? 0;
    if (count >= this.#streamsPerClient)
      throw new ProblemError("rate_limited", `At most ${this.#streamsPerClient} event streams may be open at once.`, {
        retryAfter: 1,
      });
    this.#streams.set(client, count + 1);
    const call = this.open(credential, response);
    let closed = false;
    const close = () => {
      call.close();
      if (!closed) this.#closeStream(client);
      closed = true;
    };
    return { signal: call.signal, close };
  }

  /** Ends every open call, for the stop of the server. */
  abortAll(): void {
    for (const controller of this.#controllers) controller.abort("server stops" satisfies CallEnd);
  }

  #closeStream(client: string): void {
    const left = (this.#streams.get(client) ?? 1) - 1;
    if (left > 0) this.#streams.set(client, left);
    else this.#streams.delete(client);
  }
}
