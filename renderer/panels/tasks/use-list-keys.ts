import { type RefObject, useEffect, useEffectEvent } from "react";
import { isTerminal } from "../../../shared/lifecycle";
import { windowStore } from "../../state/store";
import { useSession } from "../../state/use-session";
import { takesLetters } from "../../ui/keyboard";
import { type ListItem, neighbourOf } from "./list-items";
import { type ListCommand, listCommandOf } from "./list-keys";

interface Places {
  readonly items: readonly ListItem[];
  readonly grid: RefObject<HTMLElement | null>;
  readonly search: RefObject<HTMLInputElement | null>;
}

/** The keys of the list, wherever the focus is in the window. */
export function useListKeys({ items, grid, search }: Places): void {
  const session = useSession();
  const move = (step: number) => {
    const next = neighbourOf(items, windowStore.getState().selected, step);
    if (next !== null) session.select(next);
  };
  const commands: Readonly<Record<ListCommand, () => void>> = {
    next: () => move(1),
    previous: () => move(-1),
    first: () => move(Number.NEGATIVE_INFINITY),
    last: () => move(Number.POSITIVE_INFINITY),
    open: () => {
      const { selected } = windowStore.getState();
      if (selected !== null) session.open(selected);
    },
    cancel: () => {
      const { selected, list } = windowStore.getState();
      const row = selected === null ? undefined : list?.rows.get(selected);
      if (row && !isTerminal(row.status)) void session.cancel(row.id);
    },
    search: () => {
      session.showList();
      // A narrow window shows the field only after it went back to the list.
      requestAnimationFrame(() => search.current?.select());
    },
    back: () => {
      session.showList();
      requestAnimationFrame(() => grid.current?.focus());
    },
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const { activeElement, body } = document;
    const inList = activeElement === grid.current || activeElement === body;
    const command = listCommandOf(event, { typing: takesLetters(event.target), inList });
    if (command === null) return;
    event.preventDefault();
    commands[command]();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}
