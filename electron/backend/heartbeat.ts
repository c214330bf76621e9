import type { Clock } from "../engine/clock";
import { afterHearing } from "./awake";

export interface HeartbeatParts {
  readonly clock: Clock;
  /** Milliseconds of silence that are no coincidence any more. */
  readonly bound: number;
  /** Makes the other side say something. */
  readonly ping: () => void;
  /** Called once, when it has said nothing for that long. */
  readonly hung: () => void;
}

const beats = 10;

/**
 * Finds out that a process answers nothing any more. Silence is counted in beats, and only those that this process was
 * awake for: a sleep of any length is one beat, and after it what arrived meanwhile is heard before the next is counted.
 * States: beating -> (silent for too many beats, or `stop`) still.
 */
export class Heartbeat {
  readonly #parts: HeartbeatParts;
  /** Beats since something was heard. */
  #silent = 0;
  #cancel: () => void = () => undefined;

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
    this.#wait();
  }

  /** A sign of life, whatever it is. */
  heard(): void {
    this.#silent = 0;
  }

  stop(): void {
    this.#cancel();
  }

  #wait(): void {
    this.#cancel = afterHearing(this.#parts.clock, this.#parts.bound / beats, () => this.#beat());
  }

  #beat(): void {
    if (this.#silent === beats) {
      this.#parts.hung();
      return;
    }
    // One question is enough: more of them would only pile up before a process that does not read.
    if (this.#silent === 0) this.#parts.ping();
    this.#silent += 1;
    this.#wait();
  }
}
