import clsx from "clsx";
import type { TaskDetail } from "../../../shared/desktop/rows";
import { countOf, percentOf } from "../../ui/figures";
import { Icon } from "../../ui/icon";
import { type Phase, phaseOf, phases } from "../../ui/phase";
import phaseStyles from "../../ui/phase.module.css";
import { Progress } from "../../ui/progress";
import { durationOf } from "../timeline/durations";
import styles from "./no-output.module.css";
import { words } from "./words";

/** Output that is not there yet: the phase says why, with its figure where there is one. */
export function NoOutput({ detail, now }: { readonly detail: TaskDetail; readonly now: number }) {
  const { row } = detail;
  // Before the first figure of the prompt arrives, a task that runs reads it.
  const phase: Phase = row.status === "running" ? "reading" : phaseOf(row);
  const percent = row.reading === null ? null : percentOf(row.reading.read, row.reading.total);
  const { title } = words.none[phase];
  const text = textOf(detail, phase, now);
  return (
    <div className={styles.state}>
      <p className={clsx(styles.title, phaseStyles[phase])}>
        <Icon name={phases[phase].icon} />
        {percent === null ? title : `${title}, ${percent}%`}
      </p>
      {text !== "" && <p className={styles.text}>{text}</p>}
      {percent !== null && (
        <span className={phaseStyles.reading}>
          <Progress percent={percent} className={styles.bar} />
        </span>
      )}
    </div>
  );
}

function textOf({ row, changes }: TaskDetail, phase: Phase, now: number): string {
  if (row.reading !== null) return readingText(row.reading, now - (changes.at(-1)?.at ?? now));
  const { text } = words.none[phase];
  return typeof text === "function" ? text(row.model ?? "") : text;
}

/** How far it is, and how long it will take if it goes on as it went. */
function readingText({ read, total }: { readonly read: number; readonly total: number }, elapsed: number): string {
  const figures = words.readOf(countOf(read), countOf(total));
  const left = read > 0 ? (elapsed / read) * (total - read) : 0;
  const isTellable = read * 10 >= total && left >= 1_000;
  return isTellable
    ? `${figures}, ${words.left(durationOf(Math.ceil(left / 1_000) * 1_000).replace(".0", ""))}`
    : figures;
}
