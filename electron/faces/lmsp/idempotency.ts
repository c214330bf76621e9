import { createHash } from "node:crypto";
import { z } from "zod";
import type { Idempotency } from "../../engine/store";

export const idempotencyHeaders = z.looseObject({
  "idempotency-key": z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/, { error: "must be 1 to 255 printable ASCII characters" })
    .optional()
    .describe("The same key and body again: the same task. The key with another body: refused."),
});

/** The key of a request and a digest of its body; null without a key. */
export function idempotencyOf(key: string | undefined, body: unknown): Idempotency | null {
  if (key === undefined) return null;
  return { key, fingerprint: createHash("sha256").update(canonicalJson(body)).digest("hex") };
}

/** The same text for the same JSON value, whatever the order of its keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) =>
    typeof entry === "object" && entry !== null && !Array.isArray(entry) ? inOrder(entry) : entry,
  );
}

/** Pairs, because an object would put keys that look like numbers first; marked, so that no array looks the same. */
function inOrder(value: object): object {
  return { object: Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)) };
}
