import clsx from "clsx";
import type { TaskRow } from "../../../shared/desktop/rows";
import type { TaskStatus } from "../../../shared/lifecycle";
import { type ProblemCode, problems } from "../../../shared/problem";
import { Icon } from "../../ui/icon";
import { phases } from "../../ui/phase";
import phaseStyles from "../../ui/phase.module.css";
import { durationOf } from "./durations";
import styles from "./end-mark.module.css";
import { textWidth } from "./text-width";

/** How it ended, after how long, and why if it failed. */
export function endTextOf(status: TaskStatus, total: number, problem: TaskRow["problem"]): string {
  const ended = `${phases[status].word}, ${durationOf(total)}`;
  return problem === null ? ended : `${ended}: ${reasonOf(problem)}`;
}

function reasonOf({ code, detail }: { readonly code: string; readonly detail: string }): string {
  const title = code in problems ? problems[code as ProblemCode].title : detail;
  return title.charAt(0).toLowerCase() + title.slice(1);
}

/** What the mark needs on the right; a long reason gets its share and no more. */
export function roomFor(text: string, width: number): number {
  // The mark is set a size larger than what is measured.
  const wanted = textWidth(text) * 1.1 + 34;
  const most = Math.max(width * 0.42, Math.min(150, width / 2));
  return Math.min(wanted, most);
}

interface EndMarkProps {
  readonly status: TaskStatus;
  readonly text: string;
  readonly x: number;
  readonly width: number;
}

export function EndMark({ status, text, x, width }: EndMarkProps) {
  return (
    <span
      className={clsx(styles.end, phaseStyles[status])}
      style={{ left: x, maxWidth: Math.max(0, width - x) }}
      title={text}
    >
      <Icon name={phases[status].icon} />
      <span>{text}</span>
    </span>
  );
}
