import { useEffect, useState } from "react";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import styles from "./copy-output.module.css";
import { words } from "./words";

/** How long the tick stands. */
const thanks = 1_500;

/** Copies the answer as it was written, without the thoughts. */
export function CopyOutput({ text, onCopy }: { readonly text: string; readonly onCopy: (text: string) => unknown }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), thanks);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => setCopied((await onCopy(text)) !== false);
  const label = isCopied ? words.copied : words.copyOutput;
  return (
    <Button
      look="quiet"
      className={styles.copy}
      aria-label={label}
      title={label}
      disabled={text === ""}
      onClick={() => void copy()}
    >
      <Icon name={isCopied ? "check" : "copy"} />
    </Button>
  );
}
