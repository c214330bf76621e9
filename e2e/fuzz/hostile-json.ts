import fc from "fast-check";

/** JSON as it is written, also what no value can hold: a key that comes twice, a number that is too large. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Loose = null | boolean | number | string | RawJson | readonly Loose[] | { readonly [key: string]: Loose };

export function written(value: Loose): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, entry]) => `${JSON.stringify(key)}:${written(entry)}`)
    .join(",")}}`;
}

const levels = 10_000;

export const hostileText = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff\ud800",
    "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
    "\u202etxt.exe",
    "a\r\nx-injected: yes",
    "__proto__",
    "constructor",
    "toString",
    "../../../../etc/passwd",
    "%00%ff%2e%2e",
    "{{7*7}}",
    "'; DROP TABLE tasks; --",
    "<script>alert(1)</script>",
    "{{task 0}}",
    "{{session 0}}",
    "{{othertask}}",
    "NaN",
    "1e999",
    "-1",
    "9007199254740993",
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(300, 5_000, 20_000, 100_000).map((length) => "x".repeat(length)),
  fc.constantFrom(200, 2_000).map((length) => "\u{1f600}".repeat(length)),
);

const hostileNumber = fc.oneof(
  fc.constantFrom<Loose>(0, -1, 1, 0.5, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 64, -(2 ** 63)),
  fc
    .constantFrom("1e400", "-1e400", "-0", "1E+2", "0.000000000000000000000001", "NaN", "Infinity", "01", "0x10", "1.")
    .map((text): Loose => new RawJson(text)),
);

const hostileShape = fc.constantFrom<Loose>(
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  Array.from({ length: 3_000 }, () => null),
  new RawJson(`${"[".repeat(levels)}${"]".repeat(levels)}`),
  new RawJson(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`),
  new RawJson(`${'{"a":'.repeat(150)}1${"}".repeat(150)}`),
  new RawJson('{"__proto__":{"polluted":true}}'),
  new RawJson('{"constructor":{"prototype":{"polluted":true}}}'),
  new RawJson('{"\\u005f_proto__":{"polluted":true}}'),
  new RawJson('{"a":1,"a":2}'),
  new RawJson(`{${Array.from({ length: 2_000 }, (_, key) => `"k${key}":0`).join(",")}}`),
);

/** A value that nobody expects. */
export const hostileJson: fc.Arbitrary<Loose> = fc.oneof(
  hostileText,
  hostileNumber,
  hostileShape,
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Loose>,
);
