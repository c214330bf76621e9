import type { TaskRow } from "../../../shared/desktop/rows";
import { countOf, rateOf } from "../../ui/figures";
import styles from "./live-figures.module.css";
import { useThrottled } from "./use-throttled";
import { words } from "./words";

/** Speed and tokens, one figure a second: faster ones cannot be read. */
export function LiveFigures({ row }: { readonly row: TaskRow }) {
  const rate = useThrottled(row.tokensPerSecond, 1_000);
  const [figure, unit] = rate === null || row.tokensPerSecond === null ? [] : rateOf(rate).split(" ");
  return (
    <span className={styles.figures}>
      {figure !== undefined && (
        <span>
          <b>{figure}</b> {unit}
        </span>
      )}
      {row.tokens > 0 && (
        <span className={styles.tokens}>
          <b>{countOf(row.tokens)}</b> {words.tokens}
        </span>
      )}
    </span>
  );
}
