import clsx from "clsx";
import { type Panel, panels } from "../panels";
import { askingOf } from "../state/select-rows";
import { useWindow } from "../state/store";
import { useSession } from "../state/use-session";
import { Button } from "../ui/button";
import { countOf } from "../ui/figures";
import hidden from "../ui/hidden.module.css";
import { Icon } from "../ui/icon";
import { KeyCap } from "../ui/key-cap";
import styles from "./rail.module.css";
import { ThemeMenu } from "./theme-menu";
import { words } from "./words";

interface RailProps {
  readonly open: Panel;
  readonly onOpen: (panel: Panel) => void;
}

export function Rail({ open, onOpen }: RailProps) {
  const session = useSession();
  const isReady = useWindow((state) => state.list !== null);
  return (
    <header className={styles.rail}>
      <Button className={styles.new} disabled={!isReady} onClick={() => session.compose(true)}>
        <Icon name="plus" />
        <span className={styles.word}>{words.newTask}</span>
        <KeyCap keys="mod+N" />
      </Button>
      <nav aria-label={words.panels}>
        {panels.map((panel) => (
          <RailPlace key={panel.id} panel={panel} isOpen={panel === open} onOpen={onOpen} />
        ))}
      </nav>
      <ThemeMenu />
    </header>
  );
}

function RailPlace({ panel, isOpen, onOpen }: { panel: Panel; isOpen: boolean; onOpen: (panel: Panel) => void }) {
  return (
    <button
      type="button"
      className={clsx(styles.place, isOpen && styles.open)}
      aria-current={isOpen ? "page" : undefined}
      onClick={() => onOpen(panel)}
    >
      <Icon name={panel.icon} />
      <span className={styles.word}>{panel.name}</span>
      {panel.id === "tasks" && <Asking />}
    </button>
  );
}

/** How many tasks wait for the person, seen from every panel. */
function Asking() {
  const asking = useWindow(askingOf);
  if (asking === 0) return null;
  return (
    <span className={styles.asking} title={words.needYou(countOf(asking))}>
      <span aria-hidden="true">{countOf(asking)}</span>
      <span className={hidden.visually}>, {words.needYou(countOf(asking))}</span>
    </span>
  );
}
