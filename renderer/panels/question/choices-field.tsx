import clsx from "clsx";
import controls from "../../ui/control.module.css";
import { safeText } from "../detail/safe-text";
import { GroupFrame } from "./field-frame";
import type { FieldProps } from "./field-props";
import styles from "./options.module.css";
import { words } from "./words";

/** More than so many scroll in a box of their own. */
const mostInView = 8;

/** What is ticked is kept in the order of the form, whatever the order of the ticks. */
export function ChoicesField({ field, value, fault, onChange }: FieldProps<"choices">) {
  const ticked = new Set(Array.isArray(value) ? value : []);
  const all = field.options.map((option) => option.value);
  const toggle = (one: string) => onChange(all.filter((other) => ticked.has(other) !== (other === one)));
  return (
    <GroupFrame field={field} hint={words.count(field.count)} fault={fault} role="group">
      <div className={clsx(styles.options, all.length > mostInView && styles.many)}>
        {field.options.map((option) => (
          <label key={option.value} className={styles.option}>
            <input
              type="checkbox"
              className={controls.tick}
              checked={ticked.has(option.value)}
              onChange={() => toggle(option.value)}
            />
            <span dir="auto">{safeText(option.title)}</span>
          </label>
        ))}
      </div>
    </GroupFrame>
  );
}
