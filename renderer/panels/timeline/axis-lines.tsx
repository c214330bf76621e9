import { clockOf } from "../../ui/figures";
import styles from "./axis-lines.module.css";
import { offsetOf } from "./durations";
import type { Layout } from "./layout";
import { textWidth } from "./text-width";

/** The lines of the axis with their times, and the now line while the task runs. */
export function Axis({ layout, nowX }: { readonly layout: Layout; readonly nowX: number | null }) {
  return (
    <>
      {layout.ticks.map(({ x, offset, hasLabel, isAtEdge }) => (
        <i key={offset} className={styles.tick} data-edge={isAtEdge} style={{ left: x }}>
          {hasLabel && <b>{offsetOf(offset, layout.range)}</b>}
        </i>
      ))}
      {nowX !== null && <NowLine x={nowX} elapsed={elapsedOf(layout)} />}
    </>
  );
}

function NowLine({ x, elapsed }: { readonly x: number; readonly elapsed: number }) {
  const text = clockOf(elapsed);
  // At the very beginning the cap would stand outside: it moves in, its line stays.
  const shift = Math.max(0, (textWidth(text) + 10) / 2 - x);
  return (
    <i className={styles.now} style={{ left: x }}>
      <b style={{ marginLeft: shift }}>{text}</b>
    </i>
  );
}

function elapsedOf({ segments, start }: Layout): number {
  return (segments.at(-1)?.to ?? start) - start;
}
