import clsx from "clsx";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import type { Sample } from "../../../shared/desktop/rows";
import type { Lane } from "./lanes";
import type { Segment } from "./layout";
import { Popover } from "./popover";
import { factsOf, nameOf } from "./segment-facts";
import styles from "./segment-list.module.css";
import { words } from "./words";

interface SegmentListProps {
  readonly lanes: readonly Lane[];
  readonly samples: readonly Sample[];
  readonly start: number;
  readonly width: number;
  readonly read: number | null;
}

/** What lies over the picture: the phases as a list, for the pointer, for the arrow keys, and for tests. */
export function SegmentList({ lanes, samples, start, width, read }: SegmentListProps) {
  const [active, setActive] = useState<{ readonly key: string; readonly x: number | null } | null>(null);
  const all = lanes.flatMap((lane) => lane.segments);
  const row = lanes.findIndex((lane) => lane.segments.some(({ key }) => key === active?.key));
  const current = all.find(({ key }) => key === active?.key);
  const move = (event: KeyboardEvent) => {
    const next = nextOf(event.key, all, active?.key);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setActive(next === null ? null : { key: next.key, x: null });
  };
  const follow = (event: PointerEvent, { key, x }: Segment) => setActive({ key, x: x + event.nativeEvent.offsetX });
  return (
    <div className={styles.over} onPointerLeave={() => setActive(null)}>
      <div
        className={styles.list}
        role="listbox"
        aria-label={words.phases}
        aria-activedescendant={current && idOf(current)}
        tabIndex={0}
        onKeyDown={move}
        onMouseDown={(event) => event.preventDefault()}
        onFocus={(event) => {
          // A click is about where the pointer is; only the keyboard begins at the first phase.
          if (event.target.matches(":focus-visible")) setActive((held) => held ?? first(all));
        }}
        onBlur={() => setActive(null)}
      >
        {lanes.map((lane, index) =>
          lane.segments.map((segment) => (
            <div
              key={segment.key}
              id={idOf(segment)}
              role="option"
              tabIndex={-1}
              aria-selected={segment === current}
              aria-label={nameOf(segment, factsOf(segment, samples, start, read))}
              className={clsx(styles.option, segment === current && styles.active)}
              style={{ left: segment.x, width: segment.width, top: topOf(index) }}
              onPointerMove={(event) => follow(event, segment)}
              data-status={segment.phases[0]?.status}
              data-kind={segment.kind}
              data-attempt={segment.attempt}
              data-from={segment.from}
              data-to={segment.to}
              data-live={segment.isLive}
            />
          )),
        )}
      </div>
      {current !== undefined && (
        <Popover
          kind={current.kind}
          facts={factsOf(current, samples, start, read)}
          x={active?.x ?? current.x + current.width / 2}
          top={topOf(row)}
          width={width}
        />
      )}
    </div>
  );
}

const axisHeight = 24;
const laneHeight = 46;
const topOf = (row: number) => axisHeight + row * laneHeight;
const idOf = ({ key }: Segment) => `phase-${key}`;
const first = (all: readonly Segment[]) => (all[0] === undefined ? null : { key: all[0].key, x: null });

/** The phase that a key leads to; null leaves the list, undefined is no key of ours. */
function nextOf(key: string, all: readonly Segment[], active: string | undefined): Segment | null | undefined {
  const at = all.findIndex((segment) => segment.key === active);
  if (key === "ArrowRight" || key === "ArrowDown") return all[Math.min(at + 1, all.length - 1)];
  if (key === "ArrowLeft" || key === "ArrowUp") return all[Math.max(at - 1, 0)];
  if (key === "Home") return all[0];
  if (key === "End") return all.at(-1);
  return key === "Escape" && at >= 0 ? null : undefined;
}
