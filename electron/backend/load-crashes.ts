import { ProblemError } from "../../shared/problem";

const limit = 3;
const period = 10 * 60_000;

/** Puts a model aside whose loading crashed the process three times within ten minutes, until it is forgiven. */
export class LoadCrashes {
  readonly #times = new Map<string, readonly number[]>();
  readonly #aside = new Set<string>();

  crashed(model: string, now: number): void {
    const times = [...(this.#times.get(model) ?? []), now].filter((time) => time > now - period);
    this.#times.set(model, times);
    if (times.length >= limit) this.#aside.add(model);
  }

  /** It loads after all; or a person wants to try it again. */
  forgive(model: string): void {
    this.#times.delete(model);
    this.#aside.delete(model);
  }

  /** Throws ProblemError `model_load_failed` for a model that is put aside. */
  check(model: string): void {
    if (!this.#aside.has(model)) return;
    throw new ProblemError(
      "model_load_failed",
      `Loading the model "${model}" ended the inference process ${limit} times, so it is put aside until Simmer restarts.`,
    );
  }
}
