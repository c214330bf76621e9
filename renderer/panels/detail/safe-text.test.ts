import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { piecesOf, safeText } from "./safe-text";

describe("text that is shown", () => {
  it("has pictures for control characters, and no halves of characters", () => {
    expect(safeText("a\u0000b\u001b[31mc\u007fd\u0085e\ud800f\udc00g😀")).toBe("a␀b␛[31mc␡d\uFFFDe\uFFFDf\uFFFDg😀");
  });

  it("keeps tabs and has one kind of line end", () => {
    expect(safeText("a\tb\r\nc\rd\n")).toBe("a\tb\nc\nd\n");
  });

  it("comes in pieces that are together the whole, none too long, none inside a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.integer({ min: 2, max: 20 }), (text, most) => {
        const pieces = piecesOf(text, most);
        expect(pieces.join("")).toBe(text);
        for (const piece of pieces) {
          expect(piece.length).toBeLessThanOrEqual(most);
          expect(piece).not.toMatch(/\p{Surrogate}/u);
        }
      }),
    );
  });
});
