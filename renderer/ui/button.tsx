import clsx from "clsx";
import type { ComponentProps } from "react";
import styles from "./button.module.css";

interface ButtonProps extends ComponentProps<"button"> {
  /** `primary` stands at most once in a view; `quiet` has no edge; `small` stands inside a row. */
  readonly look?: "plain" | "primary" | "quiet" | "small";
}

export function Button({ look = "plain", className, ...others }: ButtonProps) {
  return <button type="button" className={clsx(styles.button, styles[look], className)} {...others} />;
}
