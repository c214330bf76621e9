import { useEffect, useRef, useState } from "react";
import { useWindow } from "../../state/store";
import { useSession } from "../../state/use-session";
import hidden from "../../ui/hidden.module.css";
import { DetailPane } from "./detail-pane";
import { EmptyState } from "./empty-state";
import type { Held } from "./list-items";
import { SearchField } from "./search-field";
import { TaskList } from "./task-list";
import styles from "./tasks-panel.module.css";
import { useListItems } from "./use-list-items";
import { useListKeys } from "./use-list-keys";
import { words } from "./words";

export function TasksPanel() {
  const count = useWindow((state) => state.list?.rows.size);
  const isShut = useWindow((state) => state.list?.host.storage?.state === "shut");
  if (count === undefined || isShut) return <p className={styles.starting}>{isShut ? words.shut : words.starting}</p>;
  return count === 0 ? <EmptyState /> : <ListAndDetail />;
}

function ListAndDetail() {
  const [held, setHeld] = useState<Held | null>(null);
  const { items, places } = useListItems(held);
  const selected = useWindow((state) => state.selected);
  const pane = useWindow((state) => state.pane);
  const grid = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  useListKeys({ items, grid, search });
  useFirstSelected(items.find(({ kind }) => kind === "task")?.key);
  return (
    <div className={styles.panes} data-pane={pane}>
      <section className={styles.list} aria-label={words.tasks}>
        <div className={styles.head}>
          <h1 className={hidden.visually}>{words.tasks}</h1>
          <SearchField ref={search} onLeave={() => requestAnimationFrame(() => grid.current?.focus())} />
        </div>
        {items.length === 0 ? (
          <NoMatch />
        ) : (
          <TaskList ref={grid} items={items} places={places} selected={selected} onHold={setHeld} />
        )}
      </section>
      <section className={styles.detail} aria-label={words.detail}>
        <DetailPane />
      </section>
    </div>
  );
}

/** Something is always open: the first task, until the person chooses. */
function useFirstSelected(first: string | undefined): void {
  const session = useSession();
  const selected = useWindow((state) => state.selected);
  useEffect(() => {
    if (selected === null && first !== undefined) session.select(first);
  }, [session, selected, first]);
}

function NoMatch() {
  const query = useWindow((state) => state.query);
  return (
    <div className={styles.noMatch} role="status">
      <p>{words.noMatch(query.trim())}</p>
      <p className={styles.hint}>{words.searchedIn}</p>
    </div>
  );
}
