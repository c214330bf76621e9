import type { GbnfJsonSchema } from "node-llama-cpp";
import { ProblemError } from "../../../shared/problem";
import { isSchema, type JsonSchema } from "./json-schema-check";

const annotations = ["title", "description", "$schema", "$id", "$comment", "default", "examples", "deprecated"];
const anyKeywords = new Set([...annotations, "readOnly", "writeOnly", "$defs"]);
const typeKeywords: Readonly<Record<string, readonly string[]>> = {
  object: ["properties", "required", "additionalProperties", "minProperties", "maxProperties"],
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems"],
  string: ["minLength", "maxLength", "format"],
  number: [],
  integer: [],
  boolean: [],
  null: [],
};
const formats = ["date-time", "time", "date"];
const deepest = 64;

/**
 * The part of JSON Schema that the library can make a grammar of, in the library's words. A keyword that it would
 * silently leave out is refused: ProblemError `invalid_request` that names it.
 */
export function toGrammarSchema(root: JsonSchema): GbnfJsonSchema {
  const defs = root.$defs;
  const converted = convert(root, "#", root, 0);
  if (!isSchema(defs)) return converted;
  const entries = Object.entries(defs).map(([name, schema]) => [name, convert(schema, `#/$defs/${name}`, root, 1)]);
  // Only some kinds of schema may carry definitions; a choice of one is such a kind.
  return { oneOf: [converted], $defs: Object.fromEntries(entries) } as unknown as GbnfJsonSchema;
}

function convert(schema: unknown, path: string, root: JsonSchema, depth: number): GbnfJsonSchema {
  if (depth > deepest) throw refusal(path, "is nested too deeply");
  if (schema === true) return anyJson;
  if (!isSchema(schema)) throw refusal(path, "is no schema that can be enforced");
  if (path !== "#" && "$defs" in schema) throw refusal(path, 'may not have "$defs": only the whole schema may');
  const inner = (value: unknown, name: string) => convert(value, `${path}/${name}`, root, depth + 1);
  for (const kind of ["$ref", "const", "enum", "anyOf", "oneOf", "allOf"] as const) {
    if (kind in schema) return converters[kind](schema, path, inner, root);
  }
  const types = typesOf(schema, path);
  if (types === undefined) return onlyKnown(schema, path, []) && anyJson;
  onlyKnown(schema, path, ["type", ...types.flatMap((type) => typeKeywords[type] ?? [])]);
  const parts = types.map((type) => ofType(type, schema, path, inner));
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { oneOf: parts };
}

type Inner = (value: unknown, name: string) => GbnfJsonSchema;
type Converter = (schema: JsonSchema, path: string, inner: Inner, root: JsonSchema) => GbnfJsonSchema;

const choice =
  (kind: "anyOf" | "oneOf"): Converter =>
  (schema, path, inner) => {
    onlyKnown(schema, path, [kind]);
    const parts = listOf(schema[kind], path, kind);
    return { oneOf: parts.map((part, index) => inner(part, `${kind}/${index}`)) };
  };

const converters: Readonly<Record<"$ref" | "const" | "enum" | "anyOf" | "oneOf" | "allOf", Converter>> = {
  $ref(schema, path, _, root) {
    onlyKnown(schema, path, ["$ref"]);
    const name = /^#\/\$defs\/(.+)$/.exec(String(schema.$ref))?.[1];
    const defs = root.$defs;
    if (name === undefined || !isSchema(defs) || !Object.hasOwn(defs, name)) {
      throw refusal(path, 'refers to something else than its own "$defs"');
    }
    return { $ref: `#/$defs/${name}` } as unknown as GbnfJsonSchema;
  },
  const(schema, path) {
    onlyKnown(schema, path, ["const", "type"]);
    return { const: literal(schema.const, path) };
  },
  enum(schema, path) {
    onlyKnown(schema, path, ["enum", "type"]);
    return { enum: listOf(schema.enum, path, "enum").map((value) => literal(value, path)) };
  },
  anyOf: choice("anyOf"),
  oneOf: choice("oneOf"),
  allOf(schema, path, inner) {
    onlyKnown(schema, path, ["allOf"]);
    const [only, ...more] = listOf(schema.allOf, path, "allOf");
    if (more.length > 0) throw refusal(path, 'has "allOf" of several schemas, which is not supported');
    return inner(only, "allOf/0");
  },
};

/** The types that the schema allows; undefined when it allows any. */
function typesOf(schema: JsonSchema, path: string): readonly string[] | undefined {
  const { type } = schema;
  const named = type === undefined ? [] : [type].flat();
  const unknown = named.find((name) => typeof name !== "string" || !Object.hasOwn(typeKeywords, name));
  if (unknown !== undefined || (type !== undefined && named.length === 0)) throw refusal(path, "has an unknown type");
  if (type !== undefined) return named as string[];
  const implied = Object.keys(typeKeywords).find((name) => typeKeywords[name]?.some((keyword) => keyword in schema));
  return implied === undefined ? undefined : [implied];
}

function ofType(type: string, schema: JsonSchema, path: string, inner: Inner): GbnfJsonSchema {
  if (type === "object") return objectOf(schema, path, inner);
  if (type === "array") return arrayOf(schema, path, inner);
  if (type === "string") return stringOf(schema, path);
  return { type } as GbnfJsonSchema;
}

function objectOf(schema: JsonSchema, path: string, inner: Inner): GbnfJsonSchema {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (!isSchema(properties)) throw refusal(path, 'has "properties" that are no object');
  const missing = [required].flat().find((name) => !Object.hasOwn(properties, String(name)));
  if (missing !== undefined) throw refusal(path, `requires "${String(missing)}", which is not among its properties`);
  const entries = Object.entries(properties).map(([name, part]) => [name, inner(part, `properties/${name}`)]);
  return {
    type: "object",
    properties: Object.fromEntries(entries),
    ...(additionalProperties === true || isSchema(additionalProperties)
      ? { additionalProperties: inner(additionalProperties, "additionalProperties") }
      : {}),
    ...numbers(schema, path, ["minProperties", "maxProperties"]),
  } as GbnfJsonSchema;
}

function arrayOf(schema: JsonSchema, path: string, inner: Inner): GbnfJsonSchema {
  const { items, prefixItems, uniqueItems } = schema;
  if (uniqueItems !== undefined && uniqueItems !== false) throw unsupported(path, "uniqueItems");
  const parts = prefixItems === undefined ? undefined : listOf(prefixItems, path, "prefixItems");
  return {
    type: "array",
    ...(items === undefined ? {} : { items: inner(items, "items") }),
    ...(parts && { prefixItems: parts.map((part, index) => inner(part, `prefixItems/${index}`)) }),
    ...numbers(schema, path, ["minItems", "maxItems"]),
  } as GbnfJsonSchema;
}

function stringOf(schema: JsonSchema, path: string): GbnfJsonSchema {
  const { format } = schema;
  if (format === undefined) return { type: "string", ...numbers(schema, path, ["minLength", "maxLength"]) };
  if (!formats.includes(String(format))) throw unsupported(path, `format: ${String(format)}`);
  if ("minLength" in schema || "maxLength" in schema) throw refusal(path, "has a format and a length");
  return { type: "string", format } as GbnfJsonSchema;
}

const scalars: GbnfJsonSchema = { type: ["string", "number", "boolean", "null"] };
const anyJson: GbnfJsonSchema = {
  oneOf: [scalars, { type: "array" }, { type: "object", additionalProperties: true }],
};

function onlyKnown(schema: JsonSchema, path: string, keywords: readonly string[]): true {
  const known = new Set(keywords);
  const unknown = Object.keys(schema).find((keyword) => !known.has(keyword) && !anyKeywords.has(keyword));
  if (unknown !== undefined) throw unsupported(path, unknown);
  return true;
}

function numbers(schema: JsonSchema, path: string, keywords: readonly string[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const keyword of keywords) {
    const value = schema[keyword];
    if (value === undefined) continue;
    if (typeof value !== "number" || !Number.isInteger(value) || value < 0) {
      throw refusal(path, `has a "${keyword}" that is no length`);
    }
    found[keyword] = value;
  }
  return found;
}

function literal(value: unknown, path: string): string | number | boolean | null {
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) {
    return value as string | number | boolean | null;
  }
  throw refusal(path, "has a fixed value that is an object or a list, which is not supported");
}

function listOf(value: unknown, path: string, keyword: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value;
  throw refusal(path, `has "${keyword}" without any entry`);
}

function unsupported(path: string, keyword: string): ProblemError {
  return refusal(path, `has "${keyword}", which is not supported`);
}

function refusal(path: string, what: string): ProblemError {
  return new ProblemError("invalid_request", `text.format: the schema at ${path} ${what}.`);
}
