import { FieldFrame } from "./field-frame";
import type { FieldProps } from "./field-props";
import { words } from "./words";

/** A text, so that a number may be written as people write it, and a wrong one still stands there to be mended. */
export function NumberField({ field, value, fault, onChange }: FieldProps<"number">) {
  return (
    <FieldFrame field={field} hint={words.range(field.size)} fault={fault}>
      {(names) => (
        <input
          {...names}
          type="text"
          inputMode={field.whole ? "numeric" : "decimal"}
          autoComplete="off"
          value={String(value)}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FieldFrame>
  );
}
