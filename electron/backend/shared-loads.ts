interface SharedLoad<T> {
  readonly stop: AbortController;
  readonly result: Promise<T>;
  /** Settles with the result, whatever it is. */
  readonly settled: Promise<void>;
  waiting: number;
}

/**
 * Lets the callers that want one thing share a single load of it. A caller that aborts leaves the load to the others;
 * with the last one the load is told to stop, and that caller hears so once it has.
 * A load is: running -> (all callers gone) stopping -> over; a newcomer waits for a stopping one, then begins anew.
 */
export class SharedLoads<T> {
  readonly #loads = new Map<string, SharedLoad<T>>();

  /** Joins the load of `key`, which `start` begins when there is none. Throws what it throws, or `signal.reason`. */
  async join(key: string, start: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    for (;;) {
      signal.throwIfAborted();
      const load = this.#loads.get(key) ?? this.#begin(key, start);
      if (!load.stop.signal.aborted) return await this.#wait(load, signal);
      await load.settled;
    }
  }

  #begin(key: string, start: (signal: AbortSignal) => Promise<T>): SharedLoad<T> {
    const stop = new AbortController();
    const result = start(stop.signal);
    const over = () => {
      this.#loads.delete(key);
    };
    const load = { stop, result, settled: result.then(over, over), waiting: 0 };
    this.#loads.set(key, load);
    return load;
  }

  #wait(load: SharedLoad<T>, signal: AbortSignal): Promise<T> {
    load.waiting += 1;
    return new Promise<T>((resolve, reject) => {
      const leave = () => {
        load.waiting -= 1;
        if (load.waiting > 0) reject(signal.reason);
        else load.stop.abort(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      const settle = (settled: () => void) => {
        signal.removeEventListener("abort", leave);
        if (signal.aborted) reject(signal.reason);
        else settled();
      };
      load.result.then(
        (value) => settle(() => resolve(value)),
        (error) => settle(() => reject(error)),
      );
    });
  }
}
