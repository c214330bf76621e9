import { describe, expect, it, test } from "vitest";
import { conforms, type JsonSchema } from "./json-schema-check";
import { toGrammarSchema } from "./json-schema-grammar";

const tree = {
  $defs: {
    node: {
      type: "object",
      properties: { value: { type: "integer" }, next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } },
    },
  },
  $ref: "#/$defs/node",
};

describe("a schema that a grammar can hold a model to", () => {
  it.each<[string, JsonSchema, unknown]>([
    ["a title and a description", { title: "A", description: "B", type: "string" }, { type: "string" }],
    ["anyOf", { anyOf: [{ type: "string" }, { type: "null" }] }, { oneOf: [{ type: "string" }, { type: "null" }] }],
    ["allOf of one", { allOf: [{ type: "boolean" }] }, { type: "boolean" }],
    [
      "several types",
      { type: ["string", "array"], minItems: 1 },
      { oneOf: [{ type: "string" }, { type: "array", minItems: 1 }] },
    ],
    ["an object without a type", { properties: { a: true } }, { type: "object", properties: { a: expect.anything() } }],
    ["nothing at all", {}, expect.objectContaining({ oneOf: expect.any(Array) })],
    [
      "its own definitions",
      tree,
      expect.objectContaining({ $defs: { node: expect.objectContaining({ type: "object" }) } }),
    ],
  ])("with %s is put into the library's words", (_, schema, expected) => {
    expect(toGrammarSchema(schema)).toEqual(expected);
  });
});

describe("a schema that none can hold a model to is refused, naming the place", () => {
  const deep = (levels: number): JsonSchema => (levels === 0 ? {} : { type: "array", items: deep(levels - 1) });

  it.each<[string, JsonSchema]>([
    ['at # has "exclusiveMinimum"', { type: "number", exclusiveMinimum: 0 }],
    ['at #/properties/a/items has "multipleOf"', { properties: { a: { items: { type: "integer", multipleOf: 2 } } } }],
    ['at # has "patternProperties"', { type: "object", patternProperties: {} }],
    ['at # has "if"', { if: {}, type: "string" }],
    ['at # has "minLength"', { const: "a", minLength: 2 }],
    ['at # has "type"', { type: "object", anyOf: [{}] }],
    ['at # has "allOf" of several', { allOf: [{}, {}] }],
    ['at # requires "b"', { type: "object", properties: { a: {} }, required: ["a", "b"] }],
    ["at # refers to something else", { $ref: "#" }],
    ["at # refers to something else", { $ref: "#/$defs/none", $defs: {} }],
    ["at # refers to something else", { $ref: "https://example.com/schema" }],
    ['at #/items may not have "$defs"', { type: "array", items: { $defs: {}, type: "string" } }],
    ["at # has an unknown type", { type: "text" }],
    ['at # has a "maxItems" that is no length', { type: "array", maxItems: -1 }],
    ["at # has a fixed value that is an object", { const: { a: 1 } }],
    ['at # has "enum" without any entry', { enum: [] }],
    ["at #/items is no schema", { type: "array", items: false }],
    ["is nested too deeply", deep(100)],
  ])("%s", (message, schema) => {
    expect(() => toGrammarSchema(schema)).toThrow(`invalid_request: text.format: the schema`);
    expect(() => toGrammarSchema(schema)).toThrow(message);
  });
});

describe("a finished text", () => {
  it.each<[unknown, JsonSchema]>([
    ["🙂🙂", { type: "string", minLength: 2, maxLength: 2 }],
    [3, { type: "integer" }],
    [null, { type: ["string", "null"] }],
    [[1, "a", "b"], { prefixItems: [{ type: "number" }], items: { type: "string" } }],
    [{ a: 1 }, { type: "object", properties: { a: { const: 1 } }, required: ["a"], additionalProperties: false }],
    [{ value: 1, next: { value: 2, next: null } }, tree],
    ["x", { oneOf: [{ type: "string" }, { type: "number" }] }],
  ])("%j conforms to %j", (value, schema) => {
    expect(conforms(value, schema, schema)).toBe(true);
  });

  it.each<[unknown, JsonSchema]>([
    ["🙂", { type: "string", minLength: 2 }],
    [3.5, { type: "integer" }],
    [0, { type: ["string", "null"] }],
    [["a"], { prefixItems: [{ type: "number" }] }],
    [[1, 2], { type: "array", maxItems: 1 }],
    [{}, { type: "object", required: ["a"] }],
    [{ b: 1 }, { type: "object", additionalProperties: false }],
    [
      { a: 1, b: 2 },
      { type: "object", maxProperties: 1 },
    ],
    [{ value: 1, next: { value: "two" } }, tree],
    [1, { oneOf: [{ type: "integer" }, { type: "number" }] }],
    [1, { allOf: [{ const: 2 }] }],
    ["b", { enum: ["a"] }],
  ])("%j does not conform to %j", (value, schema) => {
    expect(conforms(value, schema, schema)).toBe(false);
  });
});

test("a name that every object inherits is no property and no definition", () => {
  expect(conforms({ toString: 1 }, { properties: {}, additionalProperties: false }, {})).toBe(false);
  expect(() => toGrammarSchema({ $ref: "#/$defs/toString", $defs: {} })).toThrow("refers to something else");
  expect(() => toGrammarSchema({ type: "toString" })).toThrow("has an unknown type");
});
