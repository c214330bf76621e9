import type { KeyboardEvent, RefObject } from "react";
import { useWindow } from "../../state/store";
import { useSession } from "../../state/use-session";
import { Icon } from "../../ui/icon";
import { KeyCap } from "../../ui/key-cap";
import styles from "./search-field.module.css";
import { words } from "./words";

interface SearchFieldProps {
  readonly ref: RefObject<HTMLInputElement | null>;
  /** The person is done with the field and goes on in the list. */
  readonly onLeave: () => void;
}

export function SearchField({ ref, onLeave }: SearchFieldProps) {
  const query = useWindow((state) => state.query);
  const session = useSession();
  const keyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") session.search("");
    if (!["Escape", "Enter", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    onLeave();
  };
  return (
    <div className={styles.field}>
      <Icon name="search" />
      <input
        ref={ref}
        className={styles.input}
        type="text"
        aria-label={words.search}
        placeholder={words.search}
        value={query}
        spellCheck={false}
        onChange={(event) => session.search(event.target.value)}
        onKeyDown={keyDown}
      />
      {query === "" ? (
        <KeyCap keys="/" />
      ) : (
        <button
          type="button"
          className={styles.clear}
          aria-label={words.clearSearch}
          title={words.clearSearch}
          onClick={() => {
            session.search("");
            ref.current?.focus();
          }}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
