import type { AnswerContent } from "../../shared/desktop/questions";
import { type FormField, valueFaults } from "../../shared/form-field";
import type { TextFormat } from "../../shared/form-property";
import { type FormSchema, fieldsOf } from "../../shared/form-schema";
import { numberIn } from "./typed-number";

/** What stands in a field: a text of any kind, a tick, the chosen one of a list or none yet, or the ticked ones. */
export type FieldValue = string | boolean | null | readonly string[];

/** An answer as it is being written, by field. What is not in it stands there as the form began. */
export type AnswerDraft = Readonly<Record<string, FieldValue>>;

type ContentValue = AnswerContent[string];
type Of<Kind extends FormField["kind"]> = Extract<FormField, { kind: Kind }>;

export type CheckedAnswer =
  | { readonly content: AnswerContent; readonly faults: null }
  | { readonly content: null; readonly faults: ReadonlyMap<string, string> };

/** What a field begins with: its default, where the form would take it. */
export function firstValueOf(field: FormField): FieldValue {
  const initial = field.initial !== null && valueFaults(field, field.initial).length === 0 ? field.initial : null;
  switch (field.kind) {
    case "text":
      return textOf(field.format, typeof initial === "string" ? initial : null, field.initial);
    case "number":
      return initial === null ? "" : String(initial);
    case "flag":
      return initial === true;
    case "choice":
      return typeof initial === "string" ? initial : null;
    case "choices":
      return Array.isArray(initial) ? initial : [];
  }
}

/** What the field holds now. */
export function heldIn(field: FormField, draft: AnswerDraft): FieldValue {
  const value = Object.hasOwn(draft, field.name) ? draft[field.name] : undefined;
  return value === undefined ? firstValueOf(field) : value;
}

/** The content to send, or the first fault of each field that has one. */
export function checkAnswer(schema: FormSchema, draft: AnswerDraft): CheckedAnswer {
  const content: [string, ContentValue][] = [];
  const faults = new Map<string, string>();
  for (const field of fieldsOf(schema)) {
    const value = contentOf(field, heldIn(field, draft));
    const [fault] = value === undefined ? missingFaults(field) : valueFaults(field, value);
    if (fault !== undefined) faults.set(field.name, fault);
    else if (value !== undefined) content.push([field.name, value]);
  }
  return faults.size > 0 ? { content: null, faults } : { content: Object.fromEntries(content), faults: null };
}

/** What was typed, in lines to paste elsewhere; empty when nothing was. */
export function typedTextOf(schema: FormSchema, draft: AnswerDraft): string {
  const typed = fieldsOf(schema).flatMap((field): [string, string][] => {
    const value = Object.hasOwn(draft, field.name) ? draft[field.name] : "";
    return typeof value === "string" && value !== "" && field.kind !== "choice" ? [[field.label, value]] : [];
  });
  const [first] = typed;
  if (typed.length === 1 && first !== undefined) return first[1];
  return typed.map(([label, value]) => `${label}: ${value}`).join("\n");
}

function missingFaults(field: FormField): string[] {
  if (!field.required) return [];
  return field.kind === "choice" || field.kind === "choices" ? ["Choose one."] : ["This is required."];
}

/** The value as JSON; undefined when the field was left empty, so that nothing is sent for it. */
function contentOf(field: FormField, value: FieldValue): ContentValue | undefined {
  if (value === null) return undefined;
  if (typeof value === "boolean" || (typeof value === "string" && field.kind === "choice")) return value;
  if (typeof value !== "string") return value.length > 0 || field.required ? value : undefined;
  if (value === "") return undefined;
  if (field.kind === "number") return numberContentOf(field, value);
  if (field.kind === "text" && field.format === "date-time") return dateTimeContentOf(field, value);
  return value;
}

/** What is no number goes on as it was typed, and is found to be none. */
function numberContentOf(field: Of<"number">, typed: string): ContentValue | undefined {
  if (typed === firstValueOf(field) && field.initial !== null) return field.initial;
  const number = numberIn(typed);
  return number === null ? undefined : Number.isFinite(number) ? number : typed;
}

/** The field shows the person's own time; a default that nobody touched goes back as it came. */
function dateTimeContentOf(field: Of<"text">, local: string): ContentValue {
  if (field.initial !== null && local === firstValueOf(field)) return field.initial;
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? local : date.toISOString();
}

/** A wrong default of a plain text stands there to be mended; the page's fields for dates could not show it. */
function textOf(format: TextFormat | null, right: string | null, initial: string | null): string {
  if (format === "date-time") return localTimeOf(right ?? "");
  return (format === "date" ? right : initial) ?? "";
}

/** `2026-07-28T14:30` in the time of this machine, as the page's own field for it wants it. */
function localTimeOf(initial: string): string {
  const date = new Date(initial);
  if (Number.isNaN(date.getTime())) return "";
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, date.getSeconds() === 0 ? 16 : 19);
}
