import type { FormField } from "../../../shared/form-field";
import type { FieldValue } from "../../state/answer-draft";

export interface FieldProps<Kind extends FormField["kind"]> {
  readonly field: Extract<FormField, { kind: Kind }>;
  readonly value: FieldValue;
  readonly fault: string | undefined;
  readonly onChange: (value: FieldValue) => void;
}
