import { useId } from "react";
import controls from "../../ui/control.module.css";
import { safeText } from "../detail/safe-text";
import { Below, belowOf } from "./field-frame";
import fieldStyles from "./field-frame.module.css";
import type { FieldProps } from "./field-props";
import styles from "./options.module.css";

export function FlagField({ field, value, fault, onChange }: FieldProps<"flag">) {
  const id = useId();
  return (
    <div className={fieldStyles.field} data-field={field.name} data-fault={fault !== undefined || undefined}>
      <label className={styles.option}>
        <input
          type="checkbox"
          name={field.name}
          className={controls.tick}
          checked={value === true}
          aria-describedby={belowOf(id, field, fault)}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span dir="auto">{safeText(field.label)}</span>
      </label>
      <div className={styles.indented}>
        <Below id={id} field={field} fault={fault} />
      </div>
    </div>
  );
}
