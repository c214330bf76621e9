import { useRef, useState } from "react";
import type { TaskRow } from "../../../shared/desktop/rows";
import type { TaskStatus } from "../../../shared/lifecycle";
import { phases as statuses } from "../../ui/phase";
import { Axis } from "./axis-lines";
import { EndMark, endTextOf, roomFor } from "./end-mark";
import { LaneView } from "./lane";
import { foldedOf, lanesOf, mostLanes } from "./lanes";
import { layoutOf, planOf } from "./layout";
import { Legend } from "./legend";
import { NoteMarks } from "./note-marks";
import type { Moments } from "./phases";
import { SegmentList } from "./segment-list";
import { sentenceOf } from "./sums";
import styles from "./timeline.module.css";
import { useRange } from "./use-range";
import { useWidth } from "./use-width";
import { words } from "./words";

export interface TimelineProps extends Moments {
  readonly status: TaskStatus;
  readonly now: number;
  readonly reading: TaskRow["reading"];
  readonly problem: TaskRow["problem"];
}

/** Where the time of a task went: one horizontal band, made of the recorded transitions and nothing else. */
export function Timeline({ changes, samples, firstTokenAt, status, now, reading, problem }: TimelineProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const plot = useRef<HTMLDivElement>(null);
  const width = useWidth(plot);
  const moments = { changes, samples, firstTokenAt };
  const plan = planOf(moments, now, width);
  const range = useRange(plan);
  const read = reading === null || reading.total === 0 ? null : reading.read / reading.total;
  const start = changes[0]?.at ?? now;
  const total = (plan.isLive ? now : (changes.at(-1)?.at ?? now)) - start;
  const end = plan.isLive ? null : endTextOf(status, total, problem);
  const endRoom = end === null ? 0 : roomFor(end, width);
  const layout = layoutOf(plan, { width, range, endRoom, read, moments });
  const lanes = lanesOf(layout.segments, changes, width);
  const { shown, hidden } = foldedOf(lanes, isUnfolded);
  const isMany = lanes.length > 1;
  const firstToken = firstTokenAt === null ? null : firstTokenAt - start;
  const name = sentenceOf({ phases: plan.phases, status: statuses[status].word, total, firstToken });
  return (
    <section className={styles.band} aria-label={words.timeline}>
      <div className={styles.plot} data-many={isMany} data-notes={layout.notes.length > 0} ref={plot}>
        {width > 0 && (
          <>
            <div className={styles.picture} role="img" aria-label={name}>
              <Axis layout={layout} nowX={plan.isLive ? layout.endX : null} />
              {shown.map((lane) => (
                <LaneView key={lane.attempt} lane={lane} hasGutter={isMany} read={read}>
                  {end !== null && lane === lanes.at(-1) && (
                    <EndMark status={status} text={end} x={layout.endX} width={width} />
                  )}
                </LaneView>
              ))}
              {layout.notes.length > 0 && <NoteMarks notes={layout.notes} />}
            </div>
            <SegmentList lanes={shown} samples={samples} start={start} width={width} read={read} />
          </>
        )}
      </div>
      {lanes.length > mostLanes && (
        <button type="button" className={styles.fold} onClick={() => setUnfolded(!isUnfolded)}>
          {isUnfolded ? words.fewer : words.earlier(hidden)}
        </button>
      )}
      <Legend phases={plan.phases} firstToken={firstToken} total={isMany && !plan.isLive ? total : null} />
    </section>
  );
}
