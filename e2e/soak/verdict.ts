import type { Sample } from "./sample";

type Figure = Exclude<keyof Sample, "at" | "tasks">;

/** How much more a figure may be at the end than after the start: a part of it, and something on top. */
const allowed = {
  hostMemory: { part: 0.1, more: 15 },
  inferenceMemory: { part: 0.1, more: 15 },
  handles: { part: 0, more: 4 },
  threads: { part: 0, more: 2 },
  files: { part: 0.25, more: 5 },
  createP99: { part: 0.5, more: 20 },
  readP99: { part: 0.5, more: 20 },
} as const satisfies Record<Figure, { readonly part: number; readonly more: number }>;

export interface Verdict {
  readonly figure: Figure;
  /** Medians: of the second quarter of the time, when everything is warm and full, and of the last. */
  readonly early: number;
  readonly late: number;
  readonly isFlat: boolean;
}

/** Whether each figure is at the end what it was once the load had settled. */
export function verdictOn(samples: readonly Sample[]): readonly Verdict[] {
  const quarter = Math.floor(samples.length / 4);
  const early = samples.slice(quarter, 2 * quarter);
  const late = samples.slice(-quarter);
  return (Object.keys(allowed) as Figure[]).map((figure) => {
    const [before, after] = [early, late].map((some) => median(some.map((sample) => sample[figure])));
    const { part, more } = allowed[figure];
    const [from = Number.NaN, to = Number.NaN] = [before, after];
    return { figure, early: from, late: to, isFlat: to <= from * (1 + part) + more };
  });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
