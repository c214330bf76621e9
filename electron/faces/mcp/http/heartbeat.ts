import type { ServerResponse } from "node:http";
import type { Clock } from "../../../engine/clock";

const interval = 15_000;

/** Writes a comment into every open event stream now and then, so that nothing between takes it for dead. */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #streams = new Set<ServerResponse>();
  #stop: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Until the result is called. One timer serves all. */
  add(stream: ServerResponse): () => void {
    this.#streams.add(stream);
    this.#stop ??= this.#clock.after(interval, () => this.#beat());
    return () => {
      this.#streams.delete(stream);
      if (this.#streams.size > 0) return;
      this.#stop?.();
      this.#stop = undefined;
    };
  }

  #beat(): void {
    for (const stream of this.#streams) if (!stream.writableNeedDrain) stream.write(": keep-alive\n\n");
    this.#stop = this.#clock.after(interval, () => this.#beat());
  }
}
