import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson, idempotencyHeaders, idempotencyOf } from "./idempotency";

function shuffled(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(shuffled);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, entry]) => [key, shuffled(entry)]),
  );
}

it("gives one text to JSON that differs in the order of keys, and two to any other difference", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, two) => {
      expect(canonicalJson(shuffled(one))).toBe(canonicalJson(one));
      if (canonicalJson(one) === canonicalJson(two))
        expect(JSON.parse(JSON.stringify(one))).toEqual(JSON.parse(JSON.stringify(two)));
    }),
  );
  expect(canonicalJson({ a: 1 })).not.toBe(canonicalJson([["a", 1]]));
  expect(canonicalJson({ a: 1 })).not.toBe(canonicalJson({ object: [["a", 1]] }));
  expect(canonicalJson({ a: 1, 2: 1 })).toBe(canonicalJson({ 2: 1, a: 1 }));
});

it("is null without a key, and a digest of the body with one", () => {
  expect(idempotencyOf(undefined, {})).toBeNull();
  const { key, fingerprint } = idempotencyOf("01J8M7", { a: 1, b: 2 }) ?? {};
  expect(key).toBe("01J8M7");
  expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
  expect(idempotencyOf("other", { b: 2, a: 1 })?.fingerprint).toBe(fingerprint);
});

it.each(["", "x".repeat(256), "caf\u00e9", "a\tb"])("refuses %j as a key", (key) => {
  expect(idempotencyHeaders.safeParse({ "idempotency-key": key }).success).toBe(false);
});
