import type { Clock } from "../engine/clock";

const parts = 10;

/**
 * Calls `work` once after `milliseconds`, when everything that had arrived by then has been heard: a process that slept
 * finds its timers due before it has read what came meanwhile. The result cancels it.
 */
export function afterHearing(clock: Clock, milliseconds: number, work: () => void): () => void {
  let cancelled = false;
  const cancel = clock.after(milliseconds, () =>
    setImmediate(() => {
      if (!cancelled) work();
    }),
  );
  return () => {
    cancelled = true;
    cancel();
  };
}

/**
 * Calls `work` once this process has been awake for `milliseconds`. A sleep (a suspended machine, a stopped process)
 * counts as a tenth of it at most, however long it was. The result cancels it.
 */
export function afterAwake(clock: Clock, milliseconds: number, work: () => void): () => void {
  let left = parts;
  let cancel: () => void;
  const wait = (): void => {
    cancel = afterHearing(clock, milliseconds / parts, () => {
      left -= 1;
      if (left === 0) work();
      else wait();
    });
  };
  wait();
  return () => cancel();
}
