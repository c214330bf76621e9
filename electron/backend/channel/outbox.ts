import type { GenerationStep } from "../../engine/backend";
import type { ToHost } from "./messages";

/**
 * Posts what is said in one turn of the event loop as two bundles at most: the first message at once, so that it waits
 * for nothing, and all others when the turn is over. Order is kept.
 */
export class Outbox {
  readonly #post: (bundle: readonly ToHost[]) => void;
  #waiting: ToHost[] = [];
  #turnOpen = false;

  constructor(post: (bundle: readonly ToHost[]) => void) {
    this.#post = post;
  }

  step(id: number, step: GenerationStep): void {
    const last = this.#waiting.at(-1);
    if (last?.type === "steps" && last.id === id) last.steps.push(step as (typeof last.steps)[number]);
    else this.send({ type: "steps", id, steps: [step as Extract<ToHost, { type: "steps" }>["steps"][number]] });
  }

  send(message: ToHost): void {
    if (this.#turnOpen) {
      this.#waiting.push(message);
      return;
    }
    this.#turnOpen = true;
    this.#post([message]);
    setImmediate(() => {
      this.#turnOpen = false;
      this.flush();
    });
  }

  flush(): void {
    const bundle = this.#waiting;
    this.#waiting = [];
    if (bundle.length > 0) this.#post(bundle);
  }
}
