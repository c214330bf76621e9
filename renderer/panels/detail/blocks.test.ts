import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocksOf, codeOf } from "./blocks";

const piece = fc.constantFrom(
  "\n",
  "\n\n",
  "```\n",
  "```ts\n",
  "~~~\n",
  "- a\n",
  "  b\n",
  "1. c\n",
  "text",
  "# h\n",
  "| a |\n",
  " ",
  "`",
  "> ",
);
const anyMarkdown = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));

describe("blocks", () => {
  it("together are the text", () => {
    fc.assert(
      fc.property(anyMarkdown, (text) => {
        expect(
          blocksOf(text)
            .map((block) => block.text)
            .join(""),
        ).toBe(text);
      }),
    );
  });

  it("stay as they are once two others follow, however the text goes on", () => {
    fc.assert(
      fc.property(anyMarkdown, anyMarkdown, (text, more) => {
        const finished = blocksOf(text).slice(0, -2);
        expect(blocksOf(text + more).slice(0, finished.length)).toEqual(finished);
      }),
    );
  });

  it("end at blank lines", () => {
    expect(blocksOf("one\ntwo\n\nthree\n\n\nfour").map(({ text }) => text)).toEqual([
      "one\ntwo\n\n",
      "three\n\n\n",
      "four",
    ]);
  });

  it("keep a fence whole, also while it is open", () => {
    const code = "```ts\nlet a;\n\nlet b;\n";
    expect(blocksOf(`before\n\n${code}`)).toMatchObject([{ kind: "markdown" }, { kind: "code", text: code }]);
    expect(blocksOf(`${code}\`\`\`\nafter`)).toMatchObject([{ kind: "code" }, { kind: "markdown", text: "after" }]);
  });

  it("keep a list whole, so that it counts on", () => {
    const list = "1. one\n\n2. two\n\n   more of two\n\n   ```\n   code\n\n   code\n   ```\n\n3. three\n\n";
    expect(blocksOf(`${list}after`).map(({ text }) => text)).toEqual([list, "after"]);
  });

  it("are plain where parsing would take too long or nest too deep", () => {
    expect(blocksOf("a".repeat(100_000))).toMatchObject([{ kind: "plain" }]);
    expect(blocksOf("> ".repeat(500))).toMatchObject([{ kind: "plain" }]);
    expect(blocksOf("- ".repeat(500))).toMatchObject([{ kind: "plain" }]);
  });

  it("give the code between the fences and its language", () => {
    expect(codeOf("```ts\nlet a;\n```\n")).toEqual({ language: "ts", code: "let a;" });
    expect(codeOf("~~~\nlet a;\n\n")).toEqual({ language: "", code: "let a;" });
    expect(codeOf("````md\n```\n````")).toEqual({ language: "md", code: "```" });
  });
});
