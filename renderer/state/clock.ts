import { useSyncExternalStore } from "react";

/** What runs moves four times a second. */
const tick = 250;

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(advance, tick);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function advance(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

function current(): number {
  // Nobody listened for a while: what is drawn first must not begin in the past.
  if (timer === undefined) now = Date.now();
  return now;
}

/** The time, four times a second, the same for everyone who asks: durations move together. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, current);
}

function startOfDay(): number {
  return new Date(current()).setHours(0, 0, 0, 0);
}

/** When today began; changes at midnight only. */
export function useToday(): number {
  return useSyncExternalStore(subscribe, startOfDay);
}
