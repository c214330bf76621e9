import { z } from "zod";
import { Pattern } from "./pattern";

const head = { title: z.string().exactOptional(), description: z.string().exactOptional() };
const count = z.int().min(0).exactOptional();
const bound = z.number().exactOptional();
const values = z.array(z.string()).min(1).max(1_000);
const titledValues = z
  .array(z.strictObject({ const: z.string(), title: z.string() }))
  .min(1)
  .max(1_000);

export const textFormats = ["email", "uri", "date", "date-time"] as const;
export type TextFormat = (typeof textFormats)[number];

const stringSchema = z.strictObject({
  type: z.literal("string"),
  ...head,
  minLength: count,
  maxLength: count,
  pattern: z.string().max(1_000).exactOptional(),
  format: z.enum(textFormats).exactOptional(),
  enum: values.exactOptional(),
  /** The titles of `enum`, as earlier revisions had them. */
  enumNames: z.array(z.string()).exactOptional(),
  oneOf: titledValues.exactOptional(),
  default: z.string().exactOptional(),
});

const numberFields = { ...head, minimum: bound, maximum: bound, default: bound };
const numberSchema = z.strictObject({ type: z.literal("number"), ...numberFields });
const integerSchema = z.strictObject({ type: z.literal("integer"), ...numberFields });

const booleanSchema = z.strictObject({ type: z.literal("boolean"), ...head, default: z.boolean().exactOptional() });

const arraySchema = z.strictObject({
  type: z.literal("array"),
  ...head,
  minItems: count,
  maxItems: count,
  items: z.strictObject({
    type: z.literal("string").exactOptional(),
    enum: values.exactOptional(),
    anyOf: titledValues.exactOptional(),
  }),
  default: z.array(z.string()).exactOptional(),
});

/**
 * One property of MCP's flat elicitation schema (2025-11-25). Keywords beyond it are refused rather than dropped:
 * whoever asks with one would get answers that its schema forbids.
 */
export const formPropertySchema = z
  .discriminatedUnion("type", [stringSchema, numberSchema, integerSchema, booleanSchema, arraySchema])
  .check((context) => {
    for (const message of contradictionsOf(context.value)) {
      context.issues.push({ code: "custom", message, input: context.value });
    }
  });
export type FormProperty = z.output<typeof formPropertySchema>;

/** Why no answer could ever be right, or what cannot be told apart. */
function contradictionsOf(property: FormProperty): string[] {
  switch (property.type) {
    case "boolean":
      return [];
    case "number":
    case "integer":
      return crossed(property, "minimum", "maximum");
    case "string":
      return [
        ...crossed(property, "minLength", "maxLength"),
        ...choiceFaults(property, property.oneOf, "oneOf"),
        ...patternFaults(property),
      ];
    case "array":
      return [
        ...crossed(property, "minItems", "maxItems"),
        ...choiceFaults(property.items, property.items.anyOf, "anyOf"),
        ...itemFaults(property),
      ];
  }
}

function crossed<Name extends string>(bounds: { readonly [name in Name]?: number }, low: Name, high: Name): string[] {
  const [least, most] = [bounds[low], bounds[high]];
  return least !== undefined && most !== undefined && least > most ? [`${low} is greater than ${high}`] : [];
}

interface Choices {
  readonly enum?: readonly string[];
  readonly enumNames?: readonly string[];
}

function choiceFaults(
  choices: Choices,
  titled: readonly { readonly const: string }[] | undefined,
  name: string,
): string[] {
  const all = choices.enum ?? titled?.map((one) => one.const) ?? [];
  const faults: string[] = [];
  if (choices.enum && titled) faults.push(`enum and ${name} exclude each other`);
  if (choices.enumNames && choices.enumNames.length !== choices.enum?.length)
    faults.push("enumNames must have one title for each value of enum");
  if (new Set(all).size < all.length) faults.push("a value is offered twice");
  return faults;
}

function patternFaults({ pattern }: Extract<FormProperty, { type: "string" }>): string[] {
  const read = pattern === undefined ? undefined : Pattern.read(pattern);
  return typeof read === "string" ? [`the pattern ${read}`] : [];
}

function itemFaults(property: Extract<FormProperty, { type: "array" }>): string[] {
  const offered = property.items.enum?.length ?? property.items.anyOf?.length;
  if (offered === undefined) return ["items must have enum or anyOf"];
  return (property.minItems ?? 0) > offered ? ["minItems is greater than the number of values"] : [];
}
