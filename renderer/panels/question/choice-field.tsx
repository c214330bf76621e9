import clsx from "clsx";
import { useId } from "react";
import controls from "../../ui/control.module.css";
import { Icon } from "../../ui/icon";
import { safeText } from "../detail/safe-text";
import { FieldFrame, GroupFrame } from "./field-frame";
import type { FieldProps } from "./field-props";
import styles from "./options.module.css";
import { words } from "./words";

/** So many stand side by side; more are in a list to open. */
const mostRadios = 5;
/** With a longer title among them each has a line of its own. */
const longestBeside = 28;

export function ChoiceField(props: FieldProps<"choice">) {
  return props.field.options.length <= mostRadios ? <Radios {...props} /> : <List {...props} />;
}

/** A choice that may be left out can be taken back, too. */
function Radios({ field, value, fault, onChange }: FieldProps<"choice">) {
  const name = useId();
  const options = field.required ? field.options : [...field.options, { value: null, title: words.noChoice }];
  return (
    <GroupFrame field={field} fault={fault} role="radiogroup">
      <div
        className={clsx(styles.options, options.some(({ title }) => title.length > longestBeside) && styles.stacked)}
      >
        {options.map((option) => (
          <label key={JSON.stringify(option.value)} className={styles.option}>
            <input
              type="radio"
              name={name}
              className={controls.radio}
              checked={value === option.value}
              onChange={() => onChange(option.value)}
            />
            <span dir="auto">{safeText(option.title)}</span>
          </label>
        ))}
      </div>
    </GroupFrame>
  );
}

function List({ field, value, fault, onChange }: FieldProps<"choice">) {
  return (
    <FieldFrame field={field} fault={fault}>
      {(names) => (
        <span className={controls.select}>
          <select
            {...names}
            value={field.options.findIndex((option) => option.value === value)}
            onChange={(event) => onChange(field.options[Number(event.target.value)]?.value ?? null)}
          >
            <option value={-1}>{field.required ? words.choose : words.noChoice}</option>
            {field.options.map((option, index) => (
              <option key={option.value} value={index}>
                {safeText(option.title)}
              </option>
            ))}
          </select>
          <Icon name="down" />
        </span>
      )}
    </FieldFrame>
  );
}
