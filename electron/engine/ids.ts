import { randomBytes } from "node:crypto";
import { ulid } from "ulid";

export type IdKind = "task" | "resp" | "msg" | "rs" | "q";
export type NewId = (kind: IdKind) => string;

/** A ULID whose 80 random bits are fresh for each id: ids are unguessable, and order is never read from them. */
export function newIds(now: () => number): NewId {
  return (kind) => {
    const random = randomBytes(16);
    let next = 0;
    return `${kind}_${ulid(now(), () => (random[next++ % random.length] ?? 0) / 256)}`;
  };
}
