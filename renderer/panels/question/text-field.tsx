import type { KeyboardEvent } from "react";
import { FieldFrame } from "./field-frame";
import type { FieldProps } from "./field-props";
import { words } from "./words";

/** Up to so many characters stand in one line. */
const longestLine = 200;
const kinds = { email: "text", uri: "text", date: "date", "date-time": "datetime-local" } as const;
const modes = { email: "email", uri: "url", date: undefined, "date-time": undefined } as const;

/** Dates are picked in the page's own fields; a text that may be long grows with its lines. */
export function TextField({ field, value, fault, onChange }: FieldProps<"text">) {
  const { format, length } = field;
  const isLong = format === null && field.pattern === null && (length.most ?? Number.POSITIVE_INFINITY) > longestLine;
  const others = {
    value: String(value),
    placeholder: (format && words.formats[format]) ?? words.length(length),
    autoComplete: "off",
    spellCheck: false,
    onChange: (event: { readonly target: { readonly value: string } }) => onChange(event.target.value),
  };
  return (
    <FieldFrame field={field} fault={fault}>
      {(names) =>
        isLong ? (
          <textarea {...names} {...others} rows={1} dir="auto" onKeyDown={sendOnEnter} />
        ) : (
          <input
            {...names}
            {...others}
            type={format === null ? "text" : kinds[format]}
            inputMode={format === null ? undefined : modes[format]}
            step={format === "date-time" ? 1 : undefined}
            dir={format === null ? "auto" : undefined}
          />
        )
      }
    </FieldFrame>
  );
}

/** Enter sends from here as from every field; with Shift it begins a line. Choosing a character is not sending. */
function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || event.shiftKey || event.altKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.stopPropagation();
  event.currentTarget.form?.requestSubmit();
}
