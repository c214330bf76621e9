import clsx from "clsx";
import { type ReactNode, useId } from "react";
import type { FormField } from "../../../shared/form-field";
import controls from "../../ui/control.module.css";
import { Icon } from "../../ui/icon";
import { safeText } from "../detail/safe-text";
import styles from "./field-frame.module.css";
import { words } from "./words";

interface FieldFrameProps {
  readonly field: FormField;
  readonly hint?: string | undefined;
  readonly fault: string | undefined;
  /** Draws the control with the names that tie it to its label, its description and its fault. */
  readonly children: (control: ControlNames) => ReactNode;
}

export interface ControlNames {
  readonly id: string;
  readonly name: string;
  readonly className: string;
  readonly "aria-invalid": boolean;
  readonly "aria-required": boolean;
  readonly "aria-describedby": string | undefined;
}

/** A labelled field with one control. What is wrong with it stands below. */
export function FieldFrame({ field, hint, fault, children }: FieldFrameProps) {
  const id = useId();
  const isBad = fault !== undefined;
  return (
    <div className={styles.field} data-field={field.name} data-fault={isBad || undefined}>
      <div className={styles.label}>
        <label htmlFor={id} dir="auto">
          {safeText(field.label)}
          <RequiredMark field={field} />
        </label>
        <Hint field={field} hint={hint} />
      </div>
      {children({
        id,
        name: field.name,
        className: clsx(controls.control, isBad && controls.bad),
        "aria-invalid": isBad,
        "aria-required": field.required,
        "aria-describedby": belowOf(id, field, fault),
      })}
      <Below id={id} field={field} fault={fault} />
    </div>
  );
}

interface GroupFrameProps {
  readonly field: FormField;
  readonly hint?: string | undefined;
  readonly fault: string | undefined;
  readonly role: "radiogroup" | "group";
  readonly children: ReactNode;
}

/** A labelled group of controls. */
export function GroupFrame({ field, hint, fault, role, children }: GroupFrameProps) {
  const id = useId();
  return (
    <fieldset
      className={clsx(styles.field, styles.group)}
      role={role}
      data-field={field.name}
      data-fault={fault !== undefined || undefined}
      aria-labelledby={`${id}-label`}
      aria-describedby={belowOf(id, field, fault)}
      {...(role === "radiogroup" ? { "aria-required": field.required, "aria-invalid": fault !== undefined } : {})}
    >
      <div className={styles.label}>
        <span id={`${id}-label`} dir="auto">
          {safeText(field.label)}
          <RequiredMark field={field} />
        </span>
        <Hint field={field} hint={hint} />
      </div>
      {children}
      <Below id={id} field={field} fault={fault} />
    </fieldset>
  );
}

/** A tick has no "nothing": whether it is required says nothing of it. */
function RequiredMark({ field }: { readonly field: FormField }) {
  if (!field.required || field.kind === "flag") return null;
  return (
    <span className={styles.star} title={words.required}>
      {" "}
      <span aria-hidden="true">*</span>
    </span>
  );
}

function Hint({ field, hint }: Pick<FieldFrameProps, "field" | "hint">) {
  const parts = [hint, field.required ? undefined : words.optional].filter((part) => part !== undefined);
  return parts.length === 0 ? null : <span className={styles.hint}>{parts.join(" · ")}</span>;
}

/** What stands below a control: what it is for, and what is wrong with it. */
export function Below({
  id,
  field,
  fault,
}: {
  readonly id: string;
  readonly field: FormField;
  readonly fault: string | undefined;
}) {
  return (
    <>
      {field.description !== null && (
        <p id={`${id}-about`} className={styles.about} dir="auto">
          {safeText(field.description)}
        </p>
      )}
      {fault !== undefined && (
        <p id={`${id}-fault`} className={clsx(controls.fault, styles.fault)}>
          <Icon name="failed" />
          <span dir="auto">{safeText(fault)}</span>
        </p>
      )}
    </>
  );
}

export function belowOf(id: string, field: FormField, fault: string | undefined): string | undefined {
  const parts = [field.description === null ? [] : [`${id}-about`], fault === undefined ? [] : [`${id}-fault`]].flat();
  return parts.length === 0 ? undefined : parts.join(" ");
}
