import type { LoadedModel } from "./loaded-model";

/**
 * A model in memory and how many generations use it.
 * States: ready -> leaving (leave; takes no new users) -> gone (once nothing uses it and its memory is free).
 */
export class ResidentModel {
  readonly #model: LoadedModel;
  /** Resolves when gone; undefined while ready. */
  #gone: Promise<void> | undefined;
  #users = 0;
  #whenIdle = (): void => {};

  constructor(model: LoadedModel) {
    this.#model = model;
  }

  /** Undefined while the model is ready. */
  get gone(): Promise<void> | undefined {
    return this.#gone;
  }

  get info() {
    return this.#model.info;
  }

  /** Lends the model to `use`, and keeps it in memory until that has ended. */
  async *lend<T>(use: (model: LoadedModel) => AsyncIterable<T>): AsyncGenerator<T> {
    this.#users += 1;
    try {
      yield* use(this.#model);
    } finally {
      this.#users -= 1;
      if (this.#users === 0) this.#whenIdle();
    }
  }

  /** Puts the model away once nothing uses it. */
  leave(): Promise<void> {
    this.#gone ??= this.#idle().then(() => this.#model.dispose());
    return this.#gone;
  }

  #idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenIdle = resolve;
      if (this.#users === 0) resolve();
    });
  }
}
