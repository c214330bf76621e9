import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { longestText, Pattern } from "./pattern";

function fits(source: string, text: string): boolean {
  const pattern = Pattern.read(source);
  if (typeof pattern === "string") throw new Error(`${source} ${pattern}`);
  return pattern.isIn(text);
}

describe("a pattern", () => {
  it.each([
    ["^[a-z0-9]+(-[a-z0-9]+)*$", ["a", "some-slug-9"], ["", "-a", "a--b", "A"]],
    ["^\\d{3}-\\d{4}$", ["555-1234"], ["555-123", "5555-1234", "٣٣٣-٤٤٤٤"]],
    ["^#(?:[\\da-f]{3}){1,2}$", ["#fff", "#a1b2c3"], ["#ffff", "fff"]],
    ["b", ["b", "abc"], ["", "a"]],
    ["^(?<year>\\d{4})|never$", ["2026x", "xnever"], ["x2026", "neverx"]],
    ["^.{2}$", ["ab", "🦀🦀", "字字"], ["🦀", "a\n"]],
    ["^\\p{Lu}\\P{L}?$", ["A", "Ä1"], ["a", "AB"]],
    ["^[\\]\\\\^-]\\/\\u{1F980}\\x41$", ["]/🦀A", "\\/🦀A"], ["a/🦀A"]],
    ["^a{2,}?$", ["aa", "aaa"], ["a"]],
    ["^(a|b|)c*$", ["", "a", "bcc"], ["ab"]],
    ["", ["", "x"], []],
  ])("%s fits what it says", (source, right, wrong) => {
    expect([...right, ...wrong].filter((text) => fits(source, text))).toEqual(right);
  });

  it.each(["^(a+)+$", "^(a|a)*$", "^(a*)*$", "(a*)*(a*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$", "a{0,90}a{0,90}a{90}$"])(
    "%s cannot hold up who checks it",
    (source) => {
      const begun = performance.now();
      expect(fits(source, `${"a".repeat(longestText - 1)}!`)).toBe(false);
      expect(performance.now() - begun).toBeLessThan(5_000);
    },
  );

  it.each([
    ["(", "is no regular expression"],
    ["a{3,2}", "is no regular expression"],
    ["^(?=a)", "has (?=a, which is not understood here"],
    ["(?<!a)b", "has (?<!, which is not understood here"],
    ["\\[(?=a)\\]", "has (?=a, which is not understood here"],
    ["(a)\\1", "has \\1, which is not understood here"],
    ["\\bword\\b", "has \\b, which is not understood here"],
    ["(?<n>a)\\k<n>", "has \\k<, which is not understood here"],
    ["(a{90}){90}", "is too large"],
    ["a{999999999}", "is too large"],
    ["a{0,999999999}", "is too large"],
  ])("%s is refused, with the reason", (source, reason) => {
    expect(Pattern.read(source)).toBe(reason);
  });

  it("takes for text what stands in a class or behind a backslash", () => {
    expect(fits("^[(?=]\\\\b$", "(\\b")).toBe(true);
  });

  it("is in no text that is too long to look at", () => {
    expect(fits("a", "a".repeat(longestText + 1))).toBe(false);
  });
});

const atom = fc.constantFrom(
  "a",
  "b",
  ".",
  "[ab]",
  "[^a]",
  "\\d",
  "\\w",
  "\\.",
  "\\[",
  "[[\\]]",
  "^",
  "$",
  "\\u0062",
  "\\p{L}",
);
const many = fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,}", "*?");
const { pattern: patterns } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie("term"), { maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .map((ways) => ways.map((way) => way.join("")).join("|")),
  term: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.tuple(atom, many).map(([one, count]) => (one === "^" || one === "$" ? one : one + count)),
    fc
      .tuple(fc.constantFrom("(", "(?:", "(?<n>"), tie("pattern"), many)
      .map(([open, inside, count]) => `${open}${inside})${count}`)
      .filter((source) => (source.match(/<n>/g) ?? []).length <= 1),
  ),
}));

describe("any pattern", () => {
  it("fits exactly what the engine's own expression fits", () => {
    fc.assert(
      fc.property(
        patterns,
        fc.string({ unit: fc.constantFrom("a", "b", ".", "1", "\n", "🦀"), maxLength: 6 }),
        (source, text) => {
          const pattern = Pattern.read(source);
          fc.pre(typeof pattern !== "string");
          expect(pattern.isIn(text)).toBe(new RegExp(source, "u").test(text));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
