import clsx from "clsx";
import { labelOf } from "./label";
import type { Segment } from "./layout";
import styles from "./segment-bar.module.css";
import { toneOf } from "./tone";

interface SegmentBarProps {
  readonly segment: Segment;
  readonly read: number | null;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** A foot in the colour of the phase; above it what was measured, from nothing to all. */
export function SegmentBar({ segment, read, isFirst, isLast }: SegmentBarProps) {
  const { kind, x, width, isCut, isLive, area } = segment;
  const label = labelOf(segment, read);
  return (
    <div
      className={clsx(styles.segment, toneOf(kind), kind === "cancelling" && styles.stripes)}
      data-first={isFirst}
      data-last={isLast && !isLive}
      data-cut={isCut}
      // One pixel apart from the next; what runs touches the now line.
      style={{ left: x, width: isLive ? width : Math.max(2, width - 1) }}
    >
      {area !== null && (
        <svg className={styles.area} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <path className={styles.ground} d={area.area} />
          <path className={styles.line} d={area.line} vectorEffect="non-scaling-stroke" />
        </svg>
      )}
      {label !== null && (
        <span className={styles.label}>
          {label.name}
          {label.figure !== null && <em>{label.figure}</em>}
        </span>
      )}
    </div>
  );
}
