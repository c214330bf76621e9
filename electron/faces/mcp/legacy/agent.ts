import type { Caller } from "../../../engine/caller";
import type { FaceParts } from "../face-parts";
import { Askings } from "./askings";
import type { OpenSession } from "./open-session";
import { ProgressNotices } from "./progress-notices";
import { Streams } from "./streams";

/** One client as somebody to speak to, while it has sessions: it is told of progress and asked what tasks want to know. */
export class Agent {
  readonly streams = new Streams();
  readonly #parts: FaceParts;
  readonly #caller: Caller;
  readonly #progress: ProgressNotices;
  readonly #askings: Askings;
  #unsubscribe: (() => void) | undefined;

  constructor(parts: FaceParts, caller: Caller) {
    this.#parts = parts;
    this.#caller = caller;
    this.#progress = new ProgressNotices(parts, caller, this.streams);
    this.#askings = new Askings(parts, caller, this.streams);
  }

  join(session: OpenSession): void {
    this.streams.add(session);
    if (this.#unsubscribe !== undefined) return;
    this.#unsubscribe = this.#parts.service.subscribe(this.#caller, (fact) => {
      this.#progress.hear(fact);
      this.#askings.hear(fact);
    });
    this.#askings.resume();
  }

  leave(session: OpenSession): void {
    if (this.streams.remove(session) > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#progress.close();
    this.#askings.close();
  }
}
