import clsx from "clsx";
import { Icon, type IconName } from "../../ui/icon";
import type { PhaseKind } from "./phases";
import styles from "./popover.module.css";
import type { Fact } from "./segment-facts";
import { toneOf } from "./tone";
import { words } from "./words";

const boxWidth = 226;
const laneHeight = 38;

const icons = {
  queued: "queued",
  loading: "loading",
  reading: "reading",
  generating: "running",
  waiting: "input",
  cancelling: "cancelling",
  closed: "cancelled",
} as const satisfies Record<PhaseKind, IconName>;

interface PopoverProps {
  readonly kind: PhaseKind;
  readonly facts: readonly Fact[];
  readonly x: number;
  /** Where its lane begins. It never covers that lane. */
  readonly top: number;
  readonly width: number;
}

/** What is at the pointer. The list says the same to a screen reader. */
export function Popover({ kind, facts, x, top, width }: PopoverProps) {
  const left = Math.max(0, Math.min(x - boxWidth / 2, width - boxWidth));
  return (
    <div className={styles.popover} aria-hidden="true">
      <i className={styles.hair} style={{ left: x, top, height: laneHeight + 8 }} />
      <div className={styles.box} style={{ left, top: top + laneHeight + 8, width: boxWidth }}>
        <p className={clsx(styles.name, toneOf(kind))}>
          <Icon name={icons[kind]} />
          {words.kinds[kind]}
        </p>
        <dl className={styles.facts}>
          {facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  );
}
