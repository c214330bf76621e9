import clsx from "clsx";
import styles from "./progress.module.css";

/** A share of something that is really measured; the figure stands beside it in words. */
export function Progress({
  percent,
  className,
}: {
  readonly percent: number;
  readonly className?: string | undefined;
}) {
  return (
    <span className={clsx(styles.progress, className)} aria-hidden="true">
      <i className={styles.done} style={{ width: `${percent}%` }} />
    </span>
  );
}
