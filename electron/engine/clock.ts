/** Time, handed in so that tests decide when it passes. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Calls `work` once after `milliseconds`; the result cancels it. */
  after(milliseconds: number, work: () => void): () => void;
}

/** The same time; work that fails when its time has come is told of, and ends nothing else, where `isExpected` says so. */
export function enduring(clock: Clock, isExpected: (error: unknown) => boolean, tell: (error: unknown) => void): Clock {
  const endure = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if (!isExpected(error)) throw error;
      tell(error);
    }
  };
  return { now: () => clock.now(), after: (milliseconds, work) => clock.after(milliseconds, () => endure(work)) };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};
