import { Dialog } from "radix-ui";
import { useRef } from "react";
import { useWindow } from "../../state/store";
import { useSession } from "../../state/use-session";
import styles from "./new-task-dialog.module.css";
import { NewTaskForm } from "./new-task-form";
import { words } from "./words";

/**
 * The form of a new task. It is opened by keys and menus as well as by a button, so it brings the focus back itself.
 * It has its own scrim: Radix' overlay puts a style of its own on the page, which the page's security policy refuses.
 */
export function NewTaskDialog() {
  const isOpen = useWindow((state) => state.composing);
  const session = useSession();
  const before = useRef<Element | null>(null);
  const keepFocus = () => {
    before.current = document.activeElement;
  };
  const returnFocus = (event: Event) => {
    event.preventDefault();
    if (before.current instanceof HTMLElement) before.current.focus();
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => session.compose(open)}>
      <Dialog.Portal>
        <div className={styles.scrim}>
          <Dialog.Content
            className={styles.dialog}
            aria-describedby={undefined}
            onOpenAutoFocus={keepFocus}
            onCloseAutoFocus={returnFocus}
          >
            <Dialog.Title className={styles.title}>{words.title}</Dialog.Title>
            <NewTaskForm />
          </Dialog.Content>
        </div>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
