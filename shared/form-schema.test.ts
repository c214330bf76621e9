import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultsOf, type FormSchema, fieldsOf, formFaults, formSchema } from "./form-schema";

function form(properties: Record<string, unknown>, required: readonly string[] = []): FormSchema {
  return formSchema.parse({ type: "object", properties, required });
}

/** What is wrong with one value of one property. */
function faultsOf(property: Record<string, unknown>, value: unknown): string[] {
  return formFaults(form({ it: property }), { it: value }).map((fault) => fault.message);
}

function refusalOf(schema: unknown): string {
  const { error } = formSchema.safeParse(schema);
  return error ? z.prettifyError(error) : "";
}

const options = [
  { const: "#f00", title: "Red" },
  { const: "#0f0", title: "Green" },
];

describe("a form's schema", () => {
  it("takes every kind of field that the specification shows", () => {
    const schema = form({
      name: {
        type: "string",
        title: "Name",
        minLength: 3,
        maxLength: 50,
        format: "email",
        default: "user@example.com",
      },
      share: { type: "number", minimum: 0, maximum: 100, default: 50 },
      count: { type: "integer" },
      keep: { type: "boolean", title: "Keep", description: "For one release", default: false },
      plain: { type: "string", enum: ["Red", "Green"], default: "Red" },
      old: { type: "string", enum: ["#f00", "#0f0"], enumNames: ["Red", "Green"] },
      titled: { type: "string", oneOf: options },
      many: { type: "array", minItems: 1, maxItems: 2, items: { type: "string", enum: ["Red", "Green"] } },
      manyTitled: { type: "array", items: { anyOf: options }, default: ["#f00"] },
    });
    const kinds = fieldsOf(schema).map((field) => field.kind);
    expect(kinds).toEqual("text number number flag choice choice choice choices choices".split(" "));
    const red = { value: "#f00", title: "Red" };
    const titles = fieldsOf(schema).map((field) => ("options" in field ? field.options[0] : null));
    expect(titles.slice(4)).toEqual([{ value: "Red", title: "Red" }, red, red, { value: "Red", title: "Red" }, red]);
  });

  it("lets what stands beside the properties be", () => {
    const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", additionalProperties: false };
    expect(formSchema.parse({ ...schema, type: "object", properties: {} })).toEqual({ type: "object", properties: {} });
  });

  it.each([
    ["a nested object", { type: "object", properties: {} }],
    ["a list of numbers", { type: "array", items: { type: "number" } }],
    ["a keyword beyond the specification", { type: "number", exclusiveMinimum: 3 }],
    ["crossed lengths", { type: "string", minLength: 3, maxLength: 2 }],
    ["crossed bounds", { type: "integer", minimum: 3, maximum: 2 }],
    ["crossed counts", { type: "array", minItems: 2, maxItems: 1, items: { anyOf: options } }],
    ["more choices than there are", { type: "array", minItems: 3, items: { anyOf: options } }],
    ["no choices", { type: "string", enum: [] }],
    ["a list without choices", { type: "array", items: { type: "string" } }],
    ["the same choice twice", { type: "string", enum: ["a", "a"] }],
    ["two kinds of choices", { type: "string", enum: ["a"], oneOf: options }],
    ["titles without values", { type: "string", enumNames: ["A"] }],
    ["fewer titles than values", { type: "string", enum: ["a", "b"], enumNames: ["A"] }],
    ["a pattern that looks around", { type: "string", pattern: "^(?!a)" }],
    ["an unknown format", { type: "string", format: "hostname" }],
    ["half a character", { type: "string", minLength: 0.5 }],
  ])("refuses %s, and says where", (_, property) => {
    expect(refusalOf({ type: "object", properties: { odd: property } })).toContain("at properties.odd");
  });

  it("refuses to require what it does not ask for, the names of a prototype too", () => {
    expect(refusalOf({ type: "object", properties: {}, required: ["constructor"] })).toContain('"constructor"');
  });

  it("refuses a field called __proto__ rather than losing it", () => {
    const properties: unknown = JSON.parse('{"__proto__": {"type": "boolean"}}');
    expect(refusalOf({ type: "object", properties })).toContain("__proto__");
  });

  it("can be shown to an agent as a JSON schema", () => {
    const shown = z.toJSONSchema(formSchema, { io: "input" });
    expect(shown).toMatchObject({ type: "object", required: ["type", "properties"] });
  });
});

describe("a form's content", () => {
  it.each([[null], ["text"], [[]], [3], [undefined]])("must be an object, unlike %j", (content) => {
    const fault = { field: null, message: "The content must be an object with the form's fields." };
    expect(formFaults(form({}), content)).toEqual([fault]);
  });

  it("has every fault told, field by field", () => {
    const schema = form({ a: { type: "string", minLength: 3, format: "email" }, b: { type: "integer" } }, ["b"]);
    expect(formFaults(schema, { a: "x", c: 1 })).toEqual([
      { field: "a", message: "At least 3 characters." },
      { field: "a", message: "This is no email address, such as name@example.com." },
      { field: "b", message: "This is required." },
      { field: "c", message: "The form has no such field." },
    ]);
  });

  it.each(["__proto__", "constructor", "toString"])("cannot bring %s along, nor is it there by nature", (name) => {
    const content: unknown = JSON.parse(`{"${name}": "x"}`);
    expect(formFaults(form({}), content)).toEqual([{ field: name, message: "The form has no such field." }]);
    const asked = form({ constructor: { type: "string" } }, ["constructor"]);
    expect(formFaults(asked, {})).toEqual([{ field: "constructor", message: "This is required." }]);
  });

  it("counts characters as a person does", () => {
    expect(faultsOf({ type: "string", maxLength: 2 }, "🦀🦀")).toEqual([]);
    expect(faultsOf({ type: "string", minLength: 2 }, "🦀")).toEqual(["At least 2 characters."]);
    expect(faultsOf({ type: "string", maxLength: 1 }, "字字")).toEqual(["At most 1 character."]);
  });

  it.each([
    ["email", ["a@b.example", "first.last+tag@sub.example.com"], ["a", "a@", "@b", "a b@c.d", "a@b..c", ""]],
    [
      "uri",
      ["https://example.com/a?b#c", "urn:isbn:0", "mailto:a@b.c"],
      ["example.com", "/a", "http://", "a b:c", "http://a b"],
    ],
    ["date", ["2026-07-28", "2028-02-29"], ["2026-02-29", "28.7.2026", "2026-7-28", "2026-07-28T00:00:00Z"]],
    [
      "date-time",
      ["2026-07-28T14:30:00Z", "2026-07-28t14:30:00.25z", "2026-07-28T14:30:00+02:00"],
      ["2026-07-28", "2026-07-28T14:30:00", "2026-07-28T25:00:00Z", "2026-02-30T00:00:00Z"],
    ],
  ])("has the format %s", (format, right, wrong) => {
    const accepted = [...right, ...wrong].filter((text) => faultsOf({ type: "string", format }, text).length === 0);
    expect(accepted).toEqual(right);
  });

  it.each([
    [{ type: "integer" }, 1.5, "This must be a whole number."],
    [{ type: "number", minimum: 0.5 }, 0, "At least 0.5."],
    [{ type: "integer", maximum: 10_000 }, 25_000, "At most 10,000."],
    [{ type: "string", pattern: "^[a-z]+$" }, "A1", "This must match ^[a-z]+$."],
    [{ type: "number" }, "3", "This must be a number."],
    [{ type: "number" }, Number.NaN, "This must be a number."],
    [{ type: "boolean" }, "true", "This must be true or false."],
    [{ type: "string" }, 3, "This must be a text."],
    [{ type: "string" }, null, "This must be a text."],
    [{ type: "string", oneOf: options }, "Red", "This is none of the choices."],
    [{ type: "array", items: { anyOf: options } }, "#f00", "This must be a list of choices."],
    [{ type: "array", items: { anyOf: options } }, ["#f00", "Red"], "One of these is none of the choices."],
    [{ type: "array", items: { anyOf: options } }, ["#f00", "#f00"], "Each may be chosen once."],
    [{ type: "array", minItems: 1, items: { anyOf: options } }, [], "Choose at least 1."],
    [{ type: "array", maxItems: 1, items: { anyOf: options } }, ["#f00", "#0f0"], "Choose at most 1."],
  ])("of %j is not %j", (property, value, fault) => {
    expect(faultsOf(property, value)).toEqual([fault]);
  });

  it("takes the bounds themselves", () => {
    expect(faultsOf({ type: "integer", minimum: 1, maximum: 1 }, 1)).toEqual([]);
    expect(faultsOf({ type: "string", minLength: 2, maxLength: 2 }, "ab")).toEqual([]);
  });
});

describe("a form's defaults", () => {
  it("are what its fields start with, but for those that it would refuse", () => {
    const schema = form({
      a: { type: "string", default: "x" },
      b: { type: "boolean", default: false },
      c: { type: "string", enum: ["a"], default: "z" },
      d: { type: "array", items: { anyOf: options }, default: ["#f00"] },
      e: { type: "number" },
    });
    expect(defaultsOf(schema)).toEqual({ a: "x", b: false, d: ["#f00"] });
  });
});

const text = fc.string({ unit: "binary", maxLength: 6 });
const size = fc.nat(6);
const names = fc.uniqueArray(text, { minLength: 1, maxLength: 4 });
const property = fc.oneof(
  fc.record(
    { type: fc.constant("string"), minLength: size, maxLength: size, default: text },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    {
      type: fc.constantFrom("number", "integer"),
      minimum: fc.integer(),
      default: fc.double({ noNaN: true }).map((one) => one + 0),
    },
    { requiredKeys: ["type"] },
  ),
  fc.record({ type: fc.constant("boolean"), default: fc.boolean() }, { requiredKeys: ["type"] }),
  fc.record({ type: fc.constant("string"), enum: names, default: text }, { requiredKeys: ["type", "enum"] }),
  fc.record({ type: fc.constant("array"), items: fc.record({ enum: names }), minItems: fc.nat(1), default: names }),
);
const name = fc.oneof(text, fc.constantFrom("constructor", "toString", "hasOwnProperty", "0"));
const schemas = fc
  .record({ properties: fc.dictionary(name, property), isRequired: fc.func(fc.boolean()) })
  .map(({ properties, isRequired }) => ({
    type: "object",
    properties,
    required: Object.keys(properties).filter(isRequired),
  }))
  .filter((schema) => formSchema.safeParse(schema).success)
  .map((schema) => formSchema.parse(schema));

describe("any form", () => {
  it("reads the same again from what is stored of it", () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        expect(formSchema.parse(JSON.parse(JSON.stringify(schema)))).toEqual(schema);
      }),
    );
  });

  it("finds no fault with its own defaults but what is still missing", () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        const defaults = defaultsOf(schema);
        const missing = (schema.required ?? []).filter((one) => !Object.hasOwn(defaults, one));
        const faults = formFaults(schema, defaults);
        expect(faults.map((fault) => fault.field).sort()).toEqual(missing.sort());
        expect(new Set(faults.map((fault) => fault.message)).size).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("says of any content what is wrong, with a name that is its own or the content's", () => {
    fc.assert(
      fc.property(schemas, fc.jsonValue(), (schema, content) => {
        const faults = formFaults(schema, content);
        const own = new Set<string | null>([null, ...Object.keys(schema.properties), ...Object.keys(content ?? {})]);
        expect(faults.every((fault) => own.has(fault.field) && fault.message.endsWith("."))).toBe(true);
      }),
    );
  });

  it("asks for no more than its required fields", () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        expect(formFaults(schema, {}).map((fault) => fault.field)).toEqual(
          Object.keys(schema.properties).filter((one) => schema.required?.includes(one)),
        );
      }),
    );
  });
});
