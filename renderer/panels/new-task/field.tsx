import clsx from "clsx";
import { type ReactNode, useId } from "react";
import controls from "../../ui/control.module.css";
import hidden from "../../ui/hidden.module.css";
import { Icon } from "../../ui/icon";
import styles from "./field.module.css";

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly fault?: string | null;
  readonly isFull?: boolean;
  readonly isLabelHidden?: boolean;
  /** Draws the control with the names that tie it to its label and its fault. */
  readonly children: (control: FieldControl) => ReactNode;
}

export interface FieldControl {
  readonly id: string;
  readonly className: string | undefined;
  readonly "aria-invalid": boolean;
  readonly "aria-describedby": string | undefined;
}

/**
 * A fault takes the place of the hint: when it appears as the field is left, nothing moves under the pointer. Only a
 * field without a visible label has it below; such a field shows it when the form is run.
 */
export function Field({ label, hint, fault = null, isFull = false, isLabelHidden = false, children }: FieldProps) {
  const id = useId();
  const isBad = fault !== null;
  const faultLine = isBad && (
    <span id={`${id}-fault`} className={clsx(controls.fault, styles.fault)} role="alert">
      <Icon name="failed" />
      {fault}
    </span>
  );
  return (
    <div className={clsx(styles.field, isFull && styles.full)}>
      <div className={clsx(styles.label, isLabelHidden && hidden.visually)}>
        <label htmlFor={id}>{label}</label>
        {!isLabelHidden && faultLine}
        {!isBad && hint !== undefined && <span className={styles.hint}>{hint}</span>}
      </div>
      {children({
        id,
        className: clsx(controls.control, isBad && controls.bad),
        "aria-invalid": isBad,
        "aria-describedby": isBad ? `${id}-fault` : undefined,
      })}
      {isLabelHidden && faultLine}
    </div>
  );
}
