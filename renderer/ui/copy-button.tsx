import { useEffect, useState } from "react";
import { useSession } from "../state/use-session";
import styles from "./copy-button.module.css";
import { Icon } from "./icon";

/** How long the tick stands. */
const thanks = 1_500;

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const session = useSession();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), thanks);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => setCopied(await session.copy(text));
  return (
    <button type="button" className={styles.copy} aria-label={label} title={label} onClick={() => void copy()}>
      <Icon name={copied ? "check" : "copy"} />
    </button>
  );
}
