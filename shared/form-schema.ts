import { z } from "zod";
import { type FormField, fieldOf, valueFaults } from "./form-field";
import { type FormProperty, formPropertySchema } from "./form-property";
import type { Json } from "./json";

/**
 * A form's schema: MCP's flat elicitation schema (2025-11-25), a JSON schema of an object with simple properties.
 * Whatever else stands beside `properties`, such as `$schema`, means nothing here.
 */
export const formSchema = z
  .object({
    type: z.literal("object"),
    properties: z.preprocess(refuseProto, z.record(z.string(), formPropertySchema)),
    required: z.array(z.string()).exactOptional(),
  })
  .check((context) => {
    const { properties, required = [] } = context.value;
    for (const name of required.filter((one) => !Object.hasOwn(properties, one))) {
      context.issues.push({
        code: "custom",
        message: `required names ${JSON.stringify(name)}, which is no property`,
        input: required,
        path: ["required"],
      });
    }
  });

export type FormSchema = z.output<typeof formSchema>;

export interface FormFault {
  /** Null when the content as a whole is wrong. */
  readonly field: string | null;
  /** A sentence that can stand below the field. */
  readonly message: string;
}

/** The fields in the order of the schema. */
export function fieldsOf(schema: FormSchema): FormField[] {
  const required = new Set(schema.required);
  const properties: readonly (readonly [string, FormProperty])[] = Object.entries(schema.properties);
  return properties.map(([name, property]) => fieldOf(name, property, required.has(name)));
}

/** All that is wrong with what a form was filled in with; empty when it may be sent. */
export function formFaults(schema: FormSchema, content: unknown): FormFault[] {
  if (typeof content !== "object" || content === null || Array.isArray(content))
    return [{ field: null, message: "The content must be an object with the form's fields." }];
  const given = new Map<string, unknown>(Object.entries(content));
  const unknown = [...given.keys()].filter((name) => !Object.hasOwn(schema.properties, name));
  return [
    ...fieldsOf(schema).flatMap((field) => fieldFaults(field, given)),
    ...unknown.map((field) => ({ field, message: "The form has no such field." })),
  ];
}

function fieldFaults(field: FormField, given: ReadonlyMap<string, unknown>): FormFault[] {
  const isMissing = !given.has(field.name);
  const messages = isMissing
    ? field.required
      ? ["This is required."]
      : []
    : valueFaults(field, given.get(field.name));
  return messages.map((message) => ({ field: field.name, message }));
}

/** What a form starts with: its defaults, without those that it would refuse itself. */
export function defaultsOf(schema: FormSchema): { readonly [name: string]: Json } {
  const initial = fieldsOf(schema).flatMap((field): [string, Json][] =>
    field.initial === null || valueFaults(field, field.initial).length > 0 ? [] : [[field.name, field.initial]],
  );
  return Object.fromEntries(initial);
}

/** A record drops a property of this name without a word; a form that asks for it must hear of it. */
function refuseProto(properties: unknown, context: z.RefinementCtx): unknown {
  if (typeof properties === "object" && properties !== null && Object.hasOwn(properties, "__proto__"))
    context.addIssue("a field cannot be called __proto__");
  return properties;
}
