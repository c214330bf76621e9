import fc from "fast-check";
import { hostileJson, hostileText, type Loose, RawJson, written } from "./hostile-json";

/** A change of a JSON value at one of its places; `at` chooses which. */
interface Spoil {
  readonly kind: "replace" | "remove" | "add" | "double" | "wrap" | "rename" | "multiply";
  readonly at: number;
  readonly value: Loose;
  readonly key: string;
}

export const spoils: fc.Arbitrary<readonly Spoil[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Spoil["kind"][]>(
      "replace",
      "replace",
      "replace",
      "remove",
      "add",
      "double",
      "wrap",
      "rename",
      "multiply",
    ),
    at: fc.nat(),
    value: hostileJson,
    key: fc.oneof(
      fc.constantFrom("__proto__", "constructor", "prototype", "task", "_meta", "model", "input", "id"),
      hostileText,
    ),
  }),
  { maxLength: 3 },
);

export function spoiled(value: Loose, changes: readonly Spoil[]): Loose {
  return changes.reduce((now, change) => at(now, change, change.at % countOf(now)), value);
}

/** Places in a value: itself, and those in it. */
function countOf(value: Loose): number {
  return entriesOf(value).reduce((sum, [, entry]) => sum + countOf(entry), 1);
}

function entriesOf(value: Loose): readonly (readonly [string, Loose])[] {
  return typeof value === "object" && value !== null && !(value instanceof RawJson) ? Object.entries(value) : [];
}

/** The value with the change at its place number `place`. */
function at(value: Loose, change: Spoil, place: number): Loose {
  if (place === 0) return changed(value, change);
  let left = place - 1;
  const entries = entriesOf(value).map(([key, entry]): readonly [string, Loose] => {
    const here = left;
    left -= countOf(entry);
    return here >= 0 && left < 0 ? [key, at(entry, change, here)] : [key, entry];
  });
  return Array.isArray(value) ? entries.map(([, entry]) => entry) : objectOf(entries);
}

function changed(value: Loose, { kind, value: other, key }: Spoil): Loose {
  const entries = entriesOf(value);
  const [first] = entries;
  if (kind === "replace") return other;
  if (kind === "wrap") return [value];
  if (kind === "multiply") return Array.from({ length: 300 }, () => value);
  if (Array.isArray(value) || first === undefined) return kind === "remove" ? null : other;
  if (kind === "remove") return objectOf(entries.slice(1));
  if (kind === "rename") return objectOf([[key, first[1]], ...entries.slice(1)]);
  if (kind === "add") return objectOf([...entries, [key, other]]);
  return objectOf([...entries, [first[0], other]]);
}

/** As text, because an object holds no key twice, and takes some keys for its prototype. */
function objectOf(entries: readonly (readonly [string, Loose])[]): Loose {
  const keys = new Set(entries.map(([key]) => key));
  if (keys.size === entries.length && !keys.has("__proto__")) return Object.fromEntries(entries);
  return new RawJson(`{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${written(entry)}`).join(",")}}`);
}
