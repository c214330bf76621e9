import type { TaskDetail } from "../../../shared/desktop/rows";
import { isTerminal } from "../../../shared/lifecycle";
import { Button } from "../../ui/button";
import styles from "./task-text.module.css";
import { words } from "./words";

/** The plainest view of a task: what was asked and what was written. */
export function TaskText({ detail, onCancel }: { readonly detail: TaskDetail; readonly onCancel: () => void }) {
  return (
    <article className={styles.text}>
      <h1>{detail.row.title}</h1>
      {!isTerminal(detail.row.status) && <Button onClick={onCancel}>{words.cancel}</Button>}
      {detail.output.map((item) => (
        <p key={item.id}>{item.text}</p>
      ))}
    </article>
  );
}
