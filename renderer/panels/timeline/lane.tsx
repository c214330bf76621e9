import type { ReactNode } from "react";
import styles from "./lane.module.css";
import type { Lane, Link } from "./lanes";
import { SegmentBar } from "./segment-bar";
import { words } from "./words";

interface LaneProps {
  readonly lane: Lane;
  /** Whether there are other attempts to tell it from. */
  readonly hasGutter: boolean;
  readonly read: number | null;
  /** The end mark. */
  readonly children: ReactNode;
}

export function LaneView({ lane, hasGutter, read, children }: LaneProps) {
  const bars = lane.segments.filter(({ kind }) => kind !== "closed");
  const closed = lane.link === null ? lane.segments.find(({ kind }) => kind === "closed") : undefined;
  return (
    <div className={styles.lane}>
      {hasGutter && (
        <div className={styles.gutter}>
          <b>{words.attempt(lane.attempt)}</b>
          <span>{lane.note}</span>
        </div>
      )}
      {bars.map((segment, index) => (
        <SegmentBar
          key={segment.key}
          segment={segment}
          read={read}
          isFirst={index === 0}
          isLast={index === bars.length - 1}
        />
      ))}
      {closed !== undefined && <i className={styles.closed} style={{ left: closed.x, width: closed.width }} />}
      {lane.link !== null && <Elbow link={lane.link} />}
      {children}
    </div>
  );
}

function Elbow({ link: { from, to, isCut, text } }: { readonly link: Link }) {
  return (
    <>
      <i className={styles.elbow} data-cut={isCut} style={{ left: from, width: Math.max(1, to - from) }} />
      {text !== null && (
        <span className={styles.cause} style={{ left: to + 6 }}>
          {text}
        </span>
      )}
    </>
  );
}
