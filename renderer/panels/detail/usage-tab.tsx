import type { TaskDetail } from "../../../shared/desktop/rows";
import { ScrollPane } from "./scroll-pane";
import { usageOf } from "./usage";
import styles from "./usage-tab.module.css";

export function UsageTab({ detail, now }: { readonly detail: TaskDetail; readonly now: number }) {
  return (
    <ScrollPane className={styles.pane}>
      <dl className={styles.figures}>
        {usageOf(detail, now).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </ScrollPane>
  );
}
