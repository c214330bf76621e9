import type { TaskDetail } from "../../../shared/desktop/rows";
import { useNow } from "../../state/clock";
import { useWindow } from "../../state/store";
import { useSession } from "../../state/use-session";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { TaskDetailPanel } from "../detail/task-detail-panel";
import styles from "./detail-pane.module.css";
import { words } from "./words";

/** The selected task. In a narrow window it stands alone, with a way back to the list. */
export function DetailPane() {
  const detail = useWindow((state) => state.detail);
  const selected = useWindow((state) => state.selected);
  const session = useSession();
  return (
    <>
      <div className={styles.back}>
        <Button look="quiet" onClick={() => session.showList()}>
          <Icon name="back" />
          {words.back}
        </Button>
      </div>
      {/* Another task is another panel: no text and no place in it is carried over. */}
      {detail !== null && <LiveDetail key={detail.row.id} detail={detail} />}
      {selected === null && <p className={styles.choose}>{words.choose}</p>}
    </>
  );
}

function LiveDetail({ detail }: { readonly detail: TaskDetail }) {
  const now = useNow();
  const session = useSession();
  return (
    <TaskDetailPanel
      detail={detail}
      now={now}
      onCancel={() => void session.cancel(detail.row.id)}
      onCopy={(text) => session.copy(text)}
    />
  );
}
