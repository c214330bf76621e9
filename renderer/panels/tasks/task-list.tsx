// biome-ignore-all lint/a11y/useSemanticElements: only the lines on screen exist, which a table cannot do
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one stop, it has the focus and the keys
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import clsx from "clsx";
import { type Ref, useEffect, useRef, useState } from "react";
import { GroupHead } from "./group-head";
import { type Held, type ListItem, needsYou } from "./list-items";
import styles from "./task-list.module.css";
import { elementId, TaskRowLine } from "./task-row";
import { words } from "./words";

interface TaskListProps {
  readonly items: readonly ListItem[];
  readonly places: ReadonlyMap<string, number>;
  readonly selected: string | null;
  readonly onHold: (held: Held | null) => void;
  readonly ref: Ref<HTMLDivElement>;
}

/** Heights of `tokens.css`, which the virtual list must know as numbers. */
const heights = { group: 32, task: 52, wideTask: 36 } as const;
const wideFrom = 640;

/** The lines on screen, and no others: ten thousand tasks scroll as lightly as ten. */
export function TaskList({ items, places, selected, onHold, ref }: TaskListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const isWide = useIsWide(scroller);
  const isSticky = items[0]?.key === needsYou;
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) =>
      items[index]?.kind === "group" ? heights.group : isWide ? heights.wideTask : heights.task,
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 6,
    paddingEnd: 8,
    scrollPaddingStart: isSticky ? heights.group : 0,
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      return isSticky && !indexes.includes(0) ? [0, ...indexes] : indexes;
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights are asked for again when they change
  useEffect(() => virtual.measure(), [isWide, items]);
  const index = items.findIndex(({ key }) => key === selected);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list scrolls to a new selection, not after one that moves
  useEffect(() => {
    if (index >= 0) virtual.scrollToIndex(index, { align: "auto" });
  }, [selected]);
  const lines = virtual.getVirtualItems();
  const isOnScreen = lines.some((line) => line.index === index);
  return (
    <div className={styles.scroller} ref={scroller}>
      <div
        ref={ref}
        role="grid"
        aria-label={words.tasks}
        aria-rowcount={items.length}
        aria-activedescendant={isOnScreen && selected !== null ? elementId(selected) : undefined}
        tabIndex={0}
        className={styles.grid}
        style={{ height: virtual.getTotalSize() }}
      >
        {lines.map((line) => {
          const item = items[line.index];
          if (item === undefined) return null;
          const sticks = isSticky && line.index === 0;
          return (
            <div
              key={line.key}
              role="rowgroup"
              className={clsx(
                sticks ? styles.sticky : styles.line,
                isRuled(items, line.index, selected) && styles.ruled,
              )}
              style={sticks ? { height: line.size } : { height: line.size, transform: `translateY(${line.start}px)` }}
              onPointerEnter={item.kind === "task" ? () => onHold({ id: item.key, since: Date.now() }) : undefined}
              onPointerLeave={item.kind === "task" ? () => onHold(null) : undefined}
            >
              {item.kind === "group" ? (
                <GroupHead group={item} />
              ) : (
                <TaskRowLine id={item.key} isSelected={item.key === selected} place={places.get(item.key)} />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Between two tasks stands a line, but none beside the selected one. */
function isRuled(items: readonly ListItem[], index: number, selected: string | null): boolean {
  const both = [items[index - 1], items[index]];
  return both.every((item) => item?.kind === "task" && item.key !== selected);
}

function useIsWide(element: { readonly current: HTMLElement | null }): boolean {
  const [isWide, setIsWide] = useState(false);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => setIsWide((entry?.contentRect.width ?? 0) >= wideFrom));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isWide;
}
