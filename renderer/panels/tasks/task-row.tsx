// biome-ignore-all lint/a11y/useSemanticElements: only the lines on screen exist, which a table cannot do
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one stop, it has the focus and the keys
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid is one stop, it has the focus and the keys
import clsx from "clsx";
import { memo } from "react";
import type { TaskRow } from "../../../shared/desktop/rows";
import { isTerminal } from "../../../shared/lifecycle";
import { useNow } from "../../state/clock";
import { rowOf } from "../../state/select-rows";
import { useWindow } from "../../state/store";
import { useSession } from "../../state/use-session";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { phaseOf, phases } from "../../ui/phase";
import phaseStyles from "../../ui/phase.module.css";
import { Progress } from "../../ui/progress";
import { askerOf, fullAskerOf, liveOf, readingOf, timeOf } from "./row-texts";
import styles from "./task-row.module.css";
import { words } from "./words";

interface TaskRowLineProps {
  readonly id: string;
  readonly isSelected: boolean;
  readonly place: number | undefined;
}

/** One task in the list. Only the rows on screen exist; each follows its own task. */
export const TaskRowLine = memo(function TaskRowLine({ id, isSelected, place }: TaskRowLineProps) {
  const row = useWindow(rowOf(id));
  const session = useSession();
  if (row === undefined) return null;
  const phase = phaseOf(row);
  return (
    <div
      role="row"
      id={elementId(id)}
      aria-selected={isSelected}
      className={clsx(
        styles.row,
        phaseStyles[phase],
        isSelected && styles.selected,
        isTerminal(row.status) && styles.ended,
        row.status === "failed" && styles.failed,
      )}
      onClick={() => session.open(id)}
    >
      <div role="gridcell" className={styles.cell}>
        <span className={styles.icon}>
          <Icon name={phases[phase].icon} />
        </span>
        <span className={styles.title} title={row.title}>
          {row.title}
        </span>
        <span className={styles.time}>{isTerminal(row.status) ? timeOf(row, 0) : <RunningTime row={row} />}</span>
        <RowMeta row={row} place={place} word={phases[phase].word} />
      </div>
      <div role="gridcell" className={styles.action}>
        {!isTerminal(row.status) && <CancelButton row={row} />}
      </div>
    </div>
  );
});

export function elementId(taskId: string): string {
  return `row-${taskId}`;
}

function RunningTime({ row }: { readonly row: TaskRow }) {
  return timeOf(row, useNow());
}

function RowMeta({
  row,
  place,
  word,
}: {
  readonly row: TaskRow;
  readonly place: number | undefined;
  readonly word: string;
}) {
  const live = liveOf(row, place);
  const reading = readingOf(row);
  const protocol = words.protocols[row.origin];
  return (
    <span className={styles.meta}>
      <span className={styles.first}>
        <span className={styles.status}>
          <span className={styles.word}>{word}</span>
          {reading !== null && <Progress percent={reading} className={styles.bar} />}
          {live !== null && (
            <span className={styles.live} title={row.problem?.detail}>
              {live}
            </span>
          )}
        </span>
        <span className={styles.asker} title={fullAskerOf(row)}>
          <span className={styles.client}>{askerOf(row)}</span>
          {protocol !== null && <span className={styles.protocol}>{protocol}</span>}
        </span>
      </span>
      <span className={styles.model} title={row.model ?? undefined}>
        {row.model ?? ""}
      </span>
    </span>
  );
}

function CancelButton({ row }: { readonly row: TaskRow }) {
  const session = useSession();
  return (
    <Button
      look="small"
      className={styles.cancel}
      aria-label={words.cancelTask(row.title)}
      title={words.cancel}
      disabled={row.status === "cancelling"}
      onClick={(event) => {
        event.stopPropagation();
        void session.cancel(row.id);
      }}
    >
      <Icon name="close" />
      <span>{words.cancel}</span>
    </Button>
  );
}
