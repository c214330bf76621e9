import { useWindow } from "../state/store";
import { useSession } from "../state/use-session";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import styles from "./notices.module.css";
import { words } from "./words";

/** Calls that went wrong, in words; each stays until it is dismissed. In line they stand inside a form. */
export function Notices({ isInline = false }: { readonly isInline?: boolean }) {
  const notices = useWindow((state) => state.notices);
  const session = useSession();
  return (
    <section className={isInline ? styles.inline : styles.notices} role="alert" aria-label={words.problems}>
      {notices.map(({ id, text, code }) => (
        <p key={id} className={styles.notice}>
          <Icon name="failed" />
          <span className={styles.text}>
            {text} <code className={styles.code}>{code}</code>
          </span>
          <Button look="small" onClick={() => session.dismiss(id)}>
            {words.dismiss}
          </Button>
        </p>
      ))}
    </section>
  );
}
