import { Dialog } from "radix-ui";
import { useWindow } from "../../state/store";
import { useSession } from "../../state/use-session";
import styles from "./new-task-dialog.module.css";
import { NewTaskForm } from "./new-task-form";
import { words } from "./words";

// Its own scrim: Radix' overlay would put a style of its own on the page, which the page's security policy refuses.
export function NewTaskDialog() {
  const isOpen = useWindow((state) => state.composing);
  const session = useSession();
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => session.compose(open)}>
      <Dialog.Portal>
        <div className={styles.scrim}>
          <Dialog.Content className={styles.dialog} aria-describedby={undefined}>
            <Dialog.Title className={styles.title}>{words.title}</Dialog.Title>
            <NewTaskForm />
          </Dialog.Content>
        </div>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
