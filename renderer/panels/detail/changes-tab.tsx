import clsx from "clsx";
import { memo } from "react";
import type { TaskDetail } from "../../../shared/desktop/rows";
import { Icon } from "../../ui/icon";
import { phases } from "../../ui/phase";
import phaseStyles from "../../ui/phase.module.css";
import { durationOf, timeOfDay } from "../timeline/durations";
import { answerIn } from "../timeline/notes";
import styles from "./changes-tab.module.css";
import { safeText } from "./safe-text";
import { ScrollPane } from "./scroll-pane";
import { words } from "./words";

/** Every recorded transition, in order: what the timeline is drawn from. */
export const ChangesTab = memo(function ChangesTab({ changes }: Pick<TaskDetail, "changes">) {
  const start = changes[0]?.at ?? 0;
  const { number, status, time, after, attempt, reason } = words.change;
  return (
    <ScrollPane className={styles.pane}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th className={styles.figure}>{number}</th>
            <th>{status}</th>
            <th className={styles.figure}>{time}</th>
            <th className={styles.figure}>{after}</th>
            <th className={styles.figure}>{attempt}</th>
            <th>{reason}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change, index) => (
            <tr key={change.rev}>
              <td className={styles.figure}>{index + 1}</td>
              <td>
                <span className={clsx(styles.status, phaseStyles[change.to])}>
                  <Icon name={phases[change.to].icon} />
                  {phases[change.to].word}
                </span>
              </td>
              <td className={styles.figure}>{timeOfDay(change.at)}</td>
              <td className={styles.figure}>{durationOf(change.at - start)}</td>
              <td className={styles.figure}>{change.attempt}</td>
              <td className={styles.reason}>{safeText(answerIn(change.reason) ?? change.reason ?? "")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollPane>
  );
});
