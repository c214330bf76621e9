import fc from "fast-check";
import type { FastifyRequest } from "fastify";
import { expect, it } from "vitest";
import { canonicalJson, idempotencyOf } from "./idempotency";

const request = (key: unknown, body: unknown = {}) =>
  ({ headers: { "idempotency-key": key }, body }) as unknown as FastifyRequest;

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
  expect(idempotencyOf(request(undefined))).toBeNull();
  const { key, fingerprint } = idempotencyOf(request("01J8M7", { a: 1, b: 2 })) ?? {};
  expect(key).toBe("01J8M7");
  expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
  expect(idempotencyOf(request("other", { b: 2, a: 1 }))?.fingerprint).toBe(fingerprint);
});

it.each(["", "x".repeat(256), "caf\u00e9", "a\tb"])("refuses %j as a key", (key) => {
  expect(() => idempotencyOf(request(key))).toThrow("invalid_request: Idempotency-Key: ");
});
