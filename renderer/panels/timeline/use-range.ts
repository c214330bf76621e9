import { useState } from "react";
import type { Plan } from "./layout";
import { rangeFor } from "./range";

/** The range of the axis while the task runs; it begins anew when the width or the cuts are others. */
export function useRange(plan: Plan): number {
  const basis = `${Math.round(plan.width)} ${[...plan.cuts].join(",")}`;
  const [held, setHeld] = useState<{ readonly basis: string; readonly range: number } | null>(null);
  const before = held?.basis === basis ? held.range : null;
  const range = rangeFor(before, plan.elapsed, Math.max(1, plan.width));
  // Remembered while drawing: the next frame must know what this one showed.
  if (range !== before) setHeld({ basis, range });
  return range;
}
