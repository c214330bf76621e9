import clsx from "clsx";
import type { ComponentProps } from "react";
import styles from "./scroll-pane.module.css";

/** What may be higher or wider than its place. It takes the focus, so that it is scrolled by keyboard too. */
export function ScrollPane({ className, ...others }: ComponentProps<"div">) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll
  return <div className={clsx(styles.pane, className)} tabIndex={0} {...others} />;
}
