import { memo, useEffect, useEffectEvent, useRef, useState } from "react";
import type { TaskDetail } from "../../../shared/desktop/rows";
import { isTerminal } from "../../../shared/lifecycle";
import { Button } from "../../ui/button";
import { countOf } from "../../ui/figures";
import { Icon } from "../../ui/icon";
import { takesLetters } from "../../ui/keyboard";
import { answerOf } from "./answer";
import { Markdown } from "./markdown";
import { NoOutput } from "./no-output";
import styles from "./output-tab.module.css";
import { PlainText } from "./plain-text";
import { Reasoning } from "./reasoning";
import { safeText } from "./safe-text";
import { ScrollPane } from "./scroll-pane";
import { useTail } from "./use-tail";
import { useThrottled } from "./use-throttled";
import { words } from "./words";

/** The text is laid out again at most ten times a second. */
const refresh = 100;
/** Above this the whole text is shown as it was written: more Markdown than anyone reads would hold the window up. */
const mostFormatted = 400_000;

type Item = TaskDetail["output"][number];

interface OutputTabProps {
  readonly detail: TaskDetail;
  readonly now: number;
  readonly isRaw: boolean;
}

/** What the task has written. It follows the end while more comes, until the person scrolls up. */
export function OutputTab({ detail, now, isRaw }: OutputTabProps) {
  const isLive = !isTerminal(detail.row.status);
  const items = useThrottled(detail.output, refresh);
  const pane = useRef<HTMLDivElement>(null);
  const { isFollowed, follow } = useTail(pane, isLive);
  const lines = useNewLines(items, isFollowed);
  const hasText = items.some(({ text }) => text.length > 0);
  useEndKey(follow);
  return (
    <div className={styles.tab}>
      <ScrollPane className={styles.pane} ref={pane}>
        <div className={styles.content}>
          {hasText ? (
            <Items items={items} isRaw={isRaw} isWriting={detail.row.status === "running"} />
          ) : detail.data !== null ? (
            <PlainText text={safeText(answerOf(detail))} isCode />
          ) : (
            <NoOutput detail={detail} now={now} />
          )}
        </div>
      </ScrollPane>
      {lines > 0 && (
        <Button className={styles.pill} onClick={follow} title={words.follow}>
          <Icon name="down" />
          {words.newLines(countOf(lines), lines === 1)}
        </Button>
      )}
    </div>
  );
}

interface ItemsProps {
  readonly items: readonly Item[];
  readonly isRaw: boolean;
  readonly isWriting: boolean;
}

const Items = memo(function Items({ items, isRaw, isWriting }: ItemsProps) {
  return items.map((item, index) => (
    <ItemView key={item.id} item={item} isRaw={isRaw} isLive={isWriting && index === items.length - 1} />
  ));
});

const ItemView = memo(function ItemView(props: { item: Item; isRaw: boolean; isLive: boolean }) {
  const { item, isRaw, isLive } = props;
  if (item.text.length === 0 && !isLive) return null;
  const text = safeText(item.text);
  const isPlain = isRaw || text.length > mostFormatted;
  const body = isPlain ? (
    <PlainText text={text} {...(isRaw ? {} : { note: words.plain })} />
  ) : (
    <Markdown text={text} isLive={isLive} />
  );
  return item.type === "reasoning" ? (
    <Reasoning text={text} isLive={isLive}>
      {body}
    </Reasoning>
  ) : (
    <div className={styles.message}>{body}</div>
  );
});

/** How many lines came since the person scrolled up. */
function useNewLines(items: readonly Item[], isFollowed: boolean): number {
  const length = items.reduce((sum, { text }) => sum + text.length, 0);
  const [left, setLeft] = useState<number | null>(null);
  if (isFollowed && left !== null) setLeft(null);
  if (!isFollowed && left === null) setLeft(length);
  return left === null || length <= left ? 0 : linesAfter(items, left);
}

function linesAfter(items: readonly Item[], offset: number): number {
  const added = items
    .map(({ text }) => text)
    .join("")
    .slice(offset);
  return Math.max(1, added.split("\n").length - 1);
}

/** End goes to the end and stays there, wherever the focus is. */
function useEndKey(follow: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "End" || event.defaultPrevented || takesLetters(event.target)) return;
    if (event.target instanceof Element && event.target.closest("[role=grid], [role=listbox], [role=tablist]")) return;
    event.preventDefault();
    follow();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}
