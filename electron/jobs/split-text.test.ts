import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteLength, splitText } from "./split-text";

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.lorem({ mode: "sentences", maxCount: 20 }),
);
const limit = fc.integer({ min: 4, max: 60 });

describe("the parts of a text", () => {
  it("are the text when they are joined", () => {
    fc.assert(fc.property(text, limit, (whole, most) => splitText(whole, most).join("") === whole));
  });

  it("are none larger than the limit, and none empty", () => {
    fc.assert(
      fc.property(text, limit, (whole, most) => {
        for (const part of splitText(whole, most)) {
          expect(byteLength(part)).toBeLessThanOrEqual(most);
          expect(part).not.toBe("");
        }
      }),
    );
  });

  it("cut no character in two", () => {
    const wellFormed = fc.string({ unit: "binary", maxLength: 200 });
    fc.assert(
      fc.property(wellFormed, limit, (whole, most) =>
        splitText(whole, most).every((part) => !/\p{Surrogate}/u.test(part)),
      ),
    );
  });

  it("are whole sentences, as many as fit", () => {
    const sentences = ["It rains. ", "Nobody minds it. ", "The cat sleeps; it dreams. ", "So be it."];
    expect(splitText(sentences.join(""), 30)).toEqual([
      "It rains. Nobody minds it. ",
      "The cat sleeps; it dreams. ",
      "So be it.",
    ]);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...sentences.slice(0, 3)), { maxLength: 30 }), (some) => {
        for (const part of splitText(some.join(""), 40)) expect(part).toMatch(/\. $/);
      }),
    );
  });

  it("are whole lines where a text has no sentences", () => {
    expect(splitText("name,age\nAda,36\nAlan,41\n", 16)).toEqual(["name,age\nAda,36\n", "Alan,41\n"]);
  });

  it("cut a sentence that is longer than a part between words", () => {
    expect(splitText("Short one. A sentence that is far too long for it.", 20)).toEqual([
      "Short one. ",
      "A sentence that is ",
      "far too long for it.",
    ]);
  });

  it("cut a word that is longer than a part between characters as a reader sees them", () => {
    expect(splitText("👩‍🚀👩‍🚀👩‍🚀", 25)).toEqual(["👩‍🚀👩‍🚀", "👩‍🚀"]);
    expect(splitText("e\u0301".repeat(4), 7)).toEqual(["e\u0301e\u0301", "e\u0301e\u0301"]);
  });

  it("know the sentences of other scripts", () => {
    expect(splitText("今日は雨です。猫は眠る。", 30)).toEqual(["今日は雨です。", "猫は眠る。"]);
  });

  it("are none for an empty text, and refuse to be smaller than a character", () => {
    expect(splitText("", 10)).toEqual([]);
    expect(() => splitText("a", 3)).toThrow(RangeError);
  });
});
