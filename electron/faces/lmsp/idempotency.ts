import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { ProblemError } from "../../../shared/problem";
import type { Idempotency } from "../../engine/store";

/** The `Idempotency-Key` of a request and a digest of its body; null without a key. */
export function idempotencyOf(request: FastifyRequest): Idempotency | null {
  const key = request.headers["idempotency-key"];
  if (key === undefined) return null;
  if (typeof key !== "string" || !/^[\x20-\x7e]{1,255}$/.test(key))
    throw new ProblemError("invalid_request", "Idempotency-Key: must be 1 to 255 printable ASCII characters");
  return { key, fingerprint: createHash("sha256").update(canonicalJson(request.body)).digest("hex") };
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
