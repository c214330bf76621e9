import { invalidParams } from "../errors";

/** Milliseconds. Some clients stop waiting when a ttl is over, and no timer of theirs holds more than 31 bits. */
const shortest = 1_000;
const longest = 2_147_483_647;

/** How long a task that asks for this is kept, in milliseconds; null is for good. Throws -32602. */
export function grantedTtl(asked: unknown): number | null {
  if (asked === undefined) return null;
  if (typeof asked !== "number" || !(asked >= 0))
    throw invalidParams("Invalid task: ttl must be a number of milliseconds, 0 or more.");
  return Math.min(longest, Math.max(shortest, Math.ceil(asked)));
}
