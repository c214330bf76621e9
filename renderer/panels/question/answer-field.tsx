import type { FormField } from "../../../shared/form-field";
import type { FieldValue } from "../../state/answer-draft";
import { ChoiceField } from "./choice-field";
import { ChoicesField } from "./choices-field";
import { FlagField } from "./flag-field";
import { NumberField } from "./number-field";
import { TextField } from "./text-field";

interface AnswerFieldProps {
  readonly field: FormField;
  readonly value: FieldValue;
  readonly fault: string | undefined;
  readonly onChange: (value: FieldValue) => void;
}

/** The control that suits a field. */
export function AnswerField({ field, ...others }: AnswerFieldProps) {
  switch (field.kind) {
    case "text":
      return <TextField field={field} {...others} />;
    case "number":
      return <NumberField field={field} {...others} />;
    case "flag":
      return <FlagField field={field} {...others} />;
    case "choice":
      return <ChoiceField field={field} {...others} />;
    case "choices":
      return <ChoicesField field={field} {...others} />;
  }
}
