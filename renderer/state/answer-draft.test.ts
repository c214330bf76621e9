import fc from "fast-check";
import { expect, test } from "vitest";
import { fieldsOf, formFaults, formSchema } from "../../shared/form-schema";
import { checkAnswer, firstValueOf, typedTextOf } from "./answer-draft";

function form(properties: Record<string, unknown>, required: readonly string[] = []) {
  return formSchema.parse({ type: "object", properties, required });
}
const one = (property: Record<string, unknown>, required = false) => form({ it: property }, required ? ["it"] : []);
const first = (property: Record<string, unknown>) => fieldsOf(one(property)).map(firstValueOf)[0];
const sent = (property: Record<string, unknown>, typed: string) =>
  checkAnswer(one(property), { it: typed }).content?.it;
const fault = (schema: ReturnType<typeof form>, draft = {}) => checkAnswer(schema, draft).faults?.get("it");

const many = { type: "array", items: { enum: ["a", "b", "c"] } };

test("a form begins with its defaults, and is sent with them as it stands", () => {
  const schema = form({
    name: { type: "string", default: "x" },
    rows: { type: "integer", default: 25_000 },
    keep: { type: "boolean", default: true },
    colour: { type: "string", enum: ["r", "g"], default: "g" },
    all: { ...many, default: ["a", "c"] },
    when: { type: "string", format: "date-time", default: "2026-07-28T14:30:00.25+02:00" },
  });
  expect(checkAnswer(schema, {}).content).toEqual({
    name: "x",
    rows: 25_000,
    keep: true,
    colour: "g",
    all: ["a", "c"],
    when: "2026-07-28T14:30:00.25+02:00",
  });
});

test("what is left empty is not sent; a tick is always an answer", () => {
  const schema = form({
    text: { type: "string" },
    number: { type: "number" },
    choice: { type: "string", enum: ["a"] },
    many,
    flag: { type: "boolean" },
  });
  expect(checkAnswer(schema, { text: "", number: " " }).content).toEqual({ flag: false });
});

test("what is required and empty is a fault, with words that fit the field", () => {
  expect(fault(one({ type: "string" }, true))).toBe("This is required.");
  expect(fault(one({ type: "number" }, true))).toBe("This is required.");
  expect(fault(one({ type: "string", enum: ["a"] }, true))).toBe("Choose one.");
  expect(fault(one({ ...many, minItems: 2 }, true))).toBe("Choose at least 2.");
  expect(fault(one(many, true))).toBeUndefined();
});

test("an empty text can be one of the choices", () => {
  const schema = one({ type: "string", enum: ["", "a"] }, true);
  expect(checkAnswer(schema, { it: "" }).content).toEqual({ it: "" });
  expect(fault(schema, { it: null })).toBe("Choose one.");
});

test("numbers are read as people write them, and what is none is a fault", () => {
  expect(["10,000", "0,5", " 7 ", "-3", "1e3"].map((typed) => sent({ type: "number" }, typed))).toEqual([
    10_000, 0.5, 7, -3, 1_000,
  ]);
  expect(fault(one({ type: "number" }), { it: "many" })).toBe("This must be a number.");
  expect(fault(one({ type: "integer", maximum: 9 }), { it: "9.5" })).toBe("This must be a whole number.");
});

test("a time is typed as it is here, and sent as it is everywhere", () => {
  const typed = new Date(2026, 6, 28, 14, 30).toISOString();
  expect(sent({ type: "string", format: "date-time" }, "2026-07-28T14:30")).toBe(typed);
  expect(first({ type: "string", format: "date-time", default: typed })).toBe("2026-07-28T14:30");
});

test("a wrong default stands there only where the person could mend it", () => {
  expect(first({ type: "string", minLength: 3, default: "x" })).toBe("x");
  expect(first({ type: "string", format: "date", default: "tomorrow" })).toBe("");
  expect(first({ type: "string", format: "date-time", default: "tomorrow" })).toBe("");
  expect(first({ type: "string", enum: ["a"], default: "z" })).toBeNull();
  expect(first({ ...many, default: ["z"] })).toEqual([]);
  expect(first({ type: "integer", default: 1.5 })).toBe("");
});

test("names of a prototype are fields like any other", () => {
  const schema = form({ constructor: { type: "string" }, toString: { type: "boolean" } }, ["constructor"]);
  expect(checkAnswer(schema, {}).faults?.get("constructor")).toBe("This is required.");
  expect(checkAnswer(schema, { constructor: "x" } as never).content).toEqual({ constructor: "x", toString: false });
});

test("what was typed can be taken along as text, with names where there are several", () => {
  const schema = form({ a: { type: "string", title: "Why" }, b: { type: "number" }, c: { type: "boolean" } });
  expect(typedTextOf(schema, { a: "Because.", c: true })).toBe("Because.");
  expect(typedTextOf(schema, { a: "Because.", b: "7" })).toBe("Why: Because.\nb: 7");
  expect(typedTextOf(schema, { a: "" })).toBe("");
});

test("whatever is typed, what counts as right is right by the schema too", () => {
  const schema = form(
    {
      text: { type: "string", minLength: 2, maxLength: 4 },
      mail: { type: "string", format: "email" },
      day: { type: "string", format: "date" },
      time: { type: "string", format: "date-time" },
      number: { type: "integer", minimum: -2, maximum: 9 },
      choice: { type: "string", oneOf: [{ const: "a", title: "A" }] },
      many: { ...many, minItems: 1 },
    },
    ["text"],
  );
  const typed = fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom("a@b.c", "2026-07-28", "2026-07-28T01:02", "7"));
  const draft = fc.record(
    {
      text: typed,
      mail: typed,
      day: typed,
      time: typed,
      number: typed,
      choice: fc.constantFrom("a", "b", null),
      many: fc.subarray(["a", "b", "c"]),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(draft, (written) => {
      const { content, faults } = checkAnswer(schema, written);
      if (content !== null) expect(formFaults(schema, content)).toEqual([]);
      else expect(faults.size).toBeGreaterThan(0);
    }),
  );
});
