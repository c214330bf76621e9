// biome-ignore-all lint/a11y/useSemanticElements: only the lines on screen exist, which a table cannot do
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one stop, it has the focus and the keys
import clsx from "clsx";
import { countOf } from "../../ui/figures";
import styles from "./group-head.module.css";
import { type ListItem, needsYou } from "./list-items";

export function GroupHead({ group }: { readonly group: Extract<ListItem, { kind: "group" }> }) {
  return (
    <div role="row" className={clsx(styles.head, group.key === needsYou && styles.asking)}>
      <span role="gridcell">
        {group.name} <span className={styles.count}>{countOf(group.count)}</span>
      </span>
    </div>
  );
}
