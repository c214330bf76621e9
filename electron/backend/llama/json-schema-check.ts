export type JsonSchema = Readonly<Record<string, unknown>>;

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a JSON value is what `schema` describes, for the keywords that `toGrammarSchema` lets through. */
export function conforms(value: unknown, schema: unknown, root: JsonSchema): boolean {
  if (!isSchema(schema)) return schema !== false;
  const fits = (part: unknown): boolean => conforms(value, part, root);
  const { $ref, anyOf, oneOf, allOf } = schema;
  if (typeof $ref === "string" && !fits(definition($ref, root))) return false;
  if (Array.isArray(anyOf) && !anyOf.some(fits)) return false;
  if (Array.isArray(oneOf) && oneOf.filter(fits).length !== 1) return false;
  if (Array.isArray(allOf) && !allOf.every(fits)) return false;
  if ("const" in schema && value !== schema.const) return false;
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return false;
  if (schema.type !== undefined && ![schema.type].flat().some((type) => isOfType(value, type))) return false;
  if (typeof value === "string") return isWithin([...value].length, schema.minLength, schema.maxLength);
  if (Array.isArray(value)) return listConforms(value, schema, root);
  return isSchema(value) ? objectConforms(value, schema, root) : true;
}

function listConforms(list: readonly unknown[], schema: JsonSchema, root: JsonSchema): boolean {
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  const items = schema.items ?? true;
  return (
    isWithin(list.length, schema.minItems, schema.maxItems) &&
    list.every((item, index) => conforms(item, index < first.length ? first[index] : items, root))
  );
}

function objectConforms(object: JsonSchema, schema: JsonSchema, root: JsonSchema): boolean {
  const { properties, required, additionalProperties = true } = schema;
  const known = isSchema(properties) ? properties : {};
  return (
    isWithin(Object.keys(object).length, schema.minProperties, schema.maxProperties) &&
    (!Array.isArray(required) || required.every((name) => Object.hasOwn(object, String(name)))) &&
    Object.entries(object).every(([name, value]) =>
      conforms(value, Object.hasOwn(known, name) ? known[name] : additionalProperties, root),
    )
  );
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isSchema(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

function isWithin(length: number, least: unknown, most: unknown): boolean {
  return (typeof least !== "number" || length >= least) && (typeof most !== "number" || length <= most);
}

function definition(ref: string, root: JsonSchema): unknown {
  const defs = root.$defs;
  return isSchema(defs) ? (defs[ref.replace(/^#\/\$defs\//, "")] ?? false) : false;
}
