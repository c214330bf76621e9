import { z } from "zod";
import type { FormProperty, TextFormat } from "./form-property";
import { Pattern } from "./pattern";

/** A property as a person sees it: what it is called, and what may stand in it. */
export type FormField = {
  readonly name: string;
  readonly label: string;
  readonly description: string | null;
  readonly required: boolean;
} & FieldKind;

export type FieldKind =
  | {
      readonly kind: "text";
      /** In characters, as a person counts them: code points. */
      readonly length: Bounds;
      readonly format: TextFormat | null;
      readonly pattern: string | null;
      readonly initial: string | null;
    }
  | { readonly kind: "number"; readonly whole: boolean; readonly size: Bounds; readonly initial: number | null }
  | { readonly kind: "flag"; readonly initial: boolean | null }
  | { readonly kind: "choice"; readonly options: readonly Option[]; readonly initial: string | null }
  | {
      readonly kind: "choices";
      readonly options: readonly Option[];
      readonly count: Bounds;
      readonly initial: readonly string[] | null;
    };

export interface Bounds {
  readonly least: number | null;
  readonly most: number | null;
}

export interface Option {
  readonly value: string;
  readonly title: string;
}

export function fieldOf(name: string, property: FormProperty, required: boolean): FormField {
  const { title, description } = property;
  return { name, label: title ?? name, description: description ?? null, required, ...kindOf(property) };
}

function kindOf(property: FormProperty): FieldKind {
  switch (property.type) {
    case "string":
      return stringKindOf(property);
    case "boolean":
      return { kind: "flag", initial: property.default ?? null };
    case "array": {
      const options = optionsOf(property.items.enum, undefined, property.items.anyOf) ?? [];
      const count = boundsOf(property.minItems, property.maxItems);
      return { kind: "choices", options, count, initial: property.default ?? null };
    }
    default: {
      const size = boundsOf(property.minimum, property.maximum);
      return { kind: "number", whole: property.type === "integer", size, initial: property.default ?? null };
    }
  }
}

function stringKindOf(property: Extract<FormProperty, { type: "string" }>): FieldKind {
  const initial = property.default ?? null;
  const options = optionsOf(property.enum, property.enumNames, property.oneOf);
  if (options) return { kind: "choice", options, initial };
  const length = boundsOf(property.minLength, property.maxLength);
  return { kind: "text", length, format: property.format ?? null, pattern: property.pattern ?? null, initial };
}

function boundsOf(least: number | undefined, most: number | undefined): Bounds {
  return { least: least ?? null, most: most ?? null };
}

function optionsOf(
  values: readonly string[] | undefined,
  titles: readonly string[] | undefined,
  titled: readonly { readonly const: string; readonly title: string }[] | undefined,
): readonly Option[] | undefined {
  if (values) return values.map((value, index) => ({ value, title: titles?.[index] ?? value }));
  return titled?.map((one) => ({ value: one.const, title: one.title }));
}

/** Every fault of a field's value, each a sentence that can stand below the field. */
export function valueFaults(field: FormField, value: unknown): string[] {
  switch (field.kind) {
    case "text":
      return typeof value === "string" ? textFaults(field, value) : ["This must be a text."];
    case "number":
      return typeof value === "number" && Number.isFinite(value)
        ? numberFaults(field, value)
        : ["This must be a number."];
    case "flag":
      return typeof value === "boolean" ? [] : ["This must be true or false."];
    case "choice":
      return field.options.some((option) => option.value === value) ? [] : ["This is none of the choices."];
    case "choices":
      return choicesFaults(field, value);
  }
}

type Of<Kind extends FieldKind["kind"]> = Extract<FormField, { kind: Kind }>;

function textFaults(field: Of<"text">, text: string): string[] {
  const { least, most } = field.length;
  const length = least === null && most === null ? 0 : [...text].length;
  const faults: string[] = [];
  if (least !== null && length < least) faults.push(`At least ${amount(least, "character")}.`);
  if (most !== null && length > most) faults.push(`At most ${amount(most, "character")}.`);
  if (field.format && !formats[field.format].is(text)) faults.push(formats[field.format].fault);
  if (field.pattern !== null && !matches(field.pattern, text)) faults.push(`This must match ${field.pattern}.`);
  return faults;
}

function numberFaults(field: Of<"number">, number: number): string[] {
  const { least, most } = field.size;
  const faults: string[] = [];
  if (field.whole && !Number.isInteger(number)) faults.push("This must be a whole number.");
  if (least !== null && number < least) faults.push(`At least ${figure(least)}.`);
  if (most !== null && number > most) faults.push(`At most ${figure(most)}.`);
  return faults;
}

function choicesFaults(field: Of<"choices">, chosen: unknown): string[] {
  if (!Array.isArray(chosen)) return ["This must be a list of choices."];
  const offered = new Set<unknown>(field.options.map((option) => option.value));
  const { least, most } = field.count;
  const faults: string[] = [];
  if (chosen.some((one) => !offered.has(one))) faults.push("One of these is none of the choices.");
  if (new Set(chosen).size < chosen.length) faults.push("Each may be chosen once.");
  if (least !== null && chosen.length < least) faults.push(`Choose at least ${figure(least)}.`);
  if (most !== null && chosen.length > most) faults.push(`Choose at most ${figure(most)}.`);
  return faults;
}

/** The schema was refused if its pattern could not be read. */
function matches(source: string, text: string): boolean {
  const pattern = Pattern.read(source);
  return typeof pattern !== "string" && pattern.isIn(text);
}

const email = z.email({ pattern: z.regexes.html5Email });
const date = z.iso.date();
const dateTime = z.iso.datetime({ offset: true });

/** The formats of MCP's elicitation, as JSON schema defines them. */
const formats = {
  email: { is: (text) => email.safeParse(text).success, fault: "This is no email address, such as name@example.com." },
  uri: { is: isUri, fault: "This is no full address, such as https://example.com." },
  date: { is: (text) => date.safeParse(text).success, fault: "This is no date, such as 2026-07-28." },
  "date-time": {
    // RFC 3339, 5.6: T and Z may be written small.
    is: (text) => dateTime.safeParse(text.toUpperCase()).success,
    fault: "This is no date with time, such as 2026-07-28T14:30:00Z.",
  },
} as const satisfies Record<TextFormat, { is(text: string): boolean; fault: string }>;

/** RFC 3986: a scheme, then only the characters that an address may have; URL alone forgives too much. */
function isUri(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i.test(text) && URL.canParse(text);
}

function amount(number: number, unit: string): string {
  return `${figure(number)} ${unit}${number === 1 ? "" : "s"}`;
}

function figure(number: number): string {
  return number.toLocaleString("en-US", { maximumFractionDigits: 20 });
}
