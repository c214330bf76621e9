import { useEffect, useMemo, useState } from "react";
import { useToday } from "../../state/clock";
import { useWindow } from "../../state/store";
import { type Held, itemsOf, type ListItems, settling } from "./list-items";

/** The lines of the list. They are made anew when the list changes its shape, not when a figure moves. */
export function useListItems(held: Held | null): ListItems {
  const shape = useWindow((state) => state.list?.shape);
  const query = useWindow((state) => state.query);
  const list = useWindow((state) => state.list);
  const today = useToday();
  const settled = useSettled(shape);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows whose figures alone moved give the same lines
  return useMemo(
    () => itemsOf(list?.rows.values() ?? [], query, { now: Date.now(), today, held }),
    [shape, query, today, held, settled],
  );
}

/** Counts up when what ended with this shape has stood still long enough to move. */
function useSettled(shape: number | undefined): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (shape === undefined) return;
    const timer = setTimeout(() => setCount((before) => before + 1), settling + 20);
    return () => clearTimeout(timer);
  }, [shape]);
  return count;
}
