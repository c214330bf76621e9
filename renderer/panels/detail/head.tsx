import clsx from "clsx";
import type { TaskRow } from "../../../shared/desktop/rows";
import { isTerminal } from "../../../shared/lifecycle";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { KeyCap } from "../../ui/key-cap";
import { phaseOf, phases } from "../../ui/phase";
import phaseStyles from "../../ui/phase.module.css";
import { CopyOutput } from "./copy-output";
import styles from "./head.module.css";
import { metaOf } from "./meta";
import { safeText } from "./safe-text";
import { words } from "./words";

interface HeadProps {
  readonly row: TaskRow;
  readonly now: number;
  readonly output: string;
  readonly onCancel: () => void;
  readonly onCopy: (text: string) => unknown;
}

/** What it is, how it is, who asked, and what can be done with it. */
export function Head({ row, now, output, onCancel, onCopy }: HeadProps) {
  const phase = phaseOf(row);
  return (
    <header className={styles.head}>
      <h1 className={styles.title} title={row.title} dir="auto" tabIndex={-1}>
        {safeText(row.title)}
      </h1>
      <div className={styles.actions}>
        <CopyOutput text={output} onCopy={onCopy} />
        {!isTerminal(row.status) && (
          <Button onClick={onCancel} disabled={row.status === "cancelling"}>
            {words.cancel}
            <KeyCap keys="C" />
          </Button>
        )}
      </div>
      <div className={styles.meta}>
        <span className={clsx(styles.badge, phaseStyles[phase])}>
          <Icon name={phases[phase].icon} />
          {phases[phase].word}
        </span>
        {metaOf(row, now).map(({ name, text, hint }) => (
          <span key={name} className={styles.fact} data-fact={name} title={hint}>
            {safeText(text)}
          </span>
        ))}
      </div>
    </header>
  );
}
