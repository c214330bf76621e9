import { useLayoutEffect, useRef, useState } from "react";
import type { TaskDetail } from "../../../shared/desktop/rows";
import { ClosedLine } from "./closed-line";
import { planOf } from "./plan";
import styles from "./question-area.module.css";
import { QuestionCard } from "./question-card";

interface QuestionAreaProps {
  readonly detail: TaskDetail;
  readonly now: number;
  readonly onCopy: (text: string) => unknown;
}

const none: ReadonlySet<string> = new Set();

/**
 * What the task asks. A question that closes while it is shown says why in one line. The area itself always stands
 * there: what had the focus in a card that is gone gives it to the area, so that it is never lost.
 */
export function QuestionArea({ detail, now, onCopy }: QuestionAreaProps) {
  const area = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  /** Shown open here; only these are told when they close. */
  const [seen, setSeen] = useState(none);
  const [told, setTold] = useState(none);
  const { open, waiting, closed } = planOf(detail, seen, told);
  if (open !== null && !seen.has(open.id)) setSeen(new Set([...seen, open.id]));
  useLayoutEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) area.current?.focus();
    const isEmpty = open === null && closed === null;
    if (isEmpty && document.activeElement === area.current)
      area.current?.closest("article")?.querySelector<HTMLElement>("h1")?.focus();
  });
  return (
    // What closes under the hands of the person must not make the next letters commands.
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the focus of what stands in it
    <div
      ref={area}
      className={styles.area}
      tabIndex={-1}
      data-letters
      onFocus={() => {
        hadFocus.current = true;
      }}
      onBlur={() => {
        hadFocus.current = false;
      }}
    >
      {closed !== null && (
        <ClosedLine
          key={closed.id}
          question={closed}
          onCopy={onCopy}
          onEnd={() => setTold(new Set([...told, closed.id]))}
        />
      )}
      {open !== null && <QuestionCard key={open.id} question={open} more={waiting} row={detail.row} now={now} />}
    </div>
  );
}
