import clsx from "clsx";
import { durationOf } from "./durations";
import styles from "./legend.module.css";
import type { Phase } from "./phases";
import { sumsOf } from "./sums";
import { toneOf } from "./tone";
import { words } from "./words";

interface LegendProps {
  readonly phases: readonly Phase[];
  readonly firstToken: number | null;
  /** Shown when it cannot be read off the end mark of one lane. */
  readonly total: number | null;
}

/** The sum of each phase. The picture's name says the same to those who do not see it. */
export function Legend({ phases, firstToken, total }: LegendProps) {
  return (
    <div className={styles.legend} aria-hidden="true">
      {sumsOf(phases).map(({ kind, length }) => (
        <span key={kind} className={clsx(styles.sum, toneOf(kind))} data-kind={kind}>
          <i />
          {words.kinds[kind]}
          <b>{durationOf(length)}</b>
        </span>
      ))}
      <span className={styles.right}>
        {firstToken !== null && <Figure name={words.firstToken} length={firstToken} />}
        {total !== null && <Figure name={words.total} length={total} />}
      </span>
    </div>
  );
}

function Figure({ name, length }: { readonly name: string; readonly length: number }) {
  return (
    <span className={styles.sum}>
      {name}
      <b>{durationOf(length)}</b>
    </span>
  );
}
