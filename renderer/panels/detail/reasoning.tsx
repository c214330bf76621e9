import { type ReactNode, useState } from "react";
import { countOf } from "../../ui/figures";
import { Icon } from "../../ui/icon";
import styles from "./reasoning.module.css";
import { words } from "./words";

interface ReasoningProps {
  readonly text: string;
  readonly isLive: boolean;
  readonly children: ReactNode;
}

/** A model's thinking, folded: it is not what was asked for. What is folded is not rendered. */
export function Reasoning({ text, isLive, children }: ReasoningProps) {
  const [isOpen, setOpen] = useState(false);
  const count = text.trim() === "" ? 0 : text.trim().split(/\s+/).length;
  return (
    <div className={styles.reasoning}>
      <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="down" />
        {isLive ? words.thinking : words.thought}
        <span>{words.wordCount(countOf(count))}</span>
        {isLive && <i className={styles.caret} />}
      </button>
      {isOpen && <div className={styles.text}>{children}</div>}
    </div>
  );
}
