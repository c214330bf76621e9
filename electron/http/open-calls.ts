import type { ServerResponse } from "node:http";
import { ProblemError } from "../../shared/problem";

/** Why an open call was ended from outside. */
export type CallEnd = "caller left" | "server stops";

/** A call whose answer takes long. The signal aborts, with a `CallEnd` as its reason, when there is nobody to answer. */
export interface OpenCall {
  readonly signal: AbortSignal;
  close(): void;
}

/**
 * The calls that last. A call is open from `open` until its `close`; it is told when its caller leaves and when the
 * server stops. Event streams are counted per client.
 */
export class OpenCalls {
  readonly #streamsPerClient: number;
  readonly #streams = new Map<string, number>();
  readonly #controllers = new Set<AbortController>();

  constructor(streamsPerClient: number) {
    this.#streamsPerClient = streamsPerClient;
  }

  open(response: ServerResponse): OpenCall {
    const controller = new AbortController();
    const leave = () => controller.abort("caller left" satisfies CallEnd);
    // Not the request's "close": that comes as soon as its body was read.
    response.once("close", leave);
    if (response.destroyed) leave();
    this.#controllers.add(controller);
    return {
      signal: controller.signal,
      close: () => {
        response.off("close", leave);
        this.#controllers.delete(controller);
      },
    };
  }

  /** Throws ProblemError `rate_limited` when the client has too many streams open already. */
  openStream(client: string, response: ServerResponse): OpenCall {
    const count = this.#streams.get(client) ?? 0;
    if (count >= this.#streamsPerClient)
      throw new ProblemError("rate_limited", `At most ${this.#streamsPerClient} event streams may be open at once.`, {
        retryAfter: 1,
      });
    this.#streams.set(client, count + 1);
    const call = this.open(response);
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
