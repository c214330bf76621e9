import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Markdown } from "./markdown";
import { safeText } from "./safe-text";

const render = (text: string) => renderToStaticMarkup(createElement(Markdown, { text: safeText(text), isLive: false }));

const hostile = [
  "<script>alert(1)</script>",
  '<img src=x onerror="alert(1)">',
  "<iframe src='http://evil.example'></iframe> and <b onclick=alert(1)>text</b>",
  "[words](javascript:alert(1))",
  "[words](  JaVaScRiPt:alert(1) 'title')",
  "<javascript:alert(1)>",
  "[words](data:text/html,<script>alert(1)</script>)",
  "https://evil.example and www.evil.example",
  "![alt](http://evil.example/pixel.png)",
  "[a]: javascript:alert(1)\n[a]",
  "text[^1]\n\n[^1]: note",
  "```html\n<script>alert(1)</script>\n```",
  "| a |\n|--|\n| <script>x</script> |",
  "- [x] done <input autofocus onfocus=alert(1)>",
];

describe("rendered output", () => {
  it.each(hostile)("runs nothing, loads nothing and leads nowhere: %s", (text) => {
    const html = render(text);
    const tags = [...html.matchAll(/<([a-z0-9]+)([^>]*)>/g)];
    expect(tags.map(([, name]) => name)).not.toContain("script");
    for (const [tag] of tags)
      expect(tag).not.toMatch(/<(?:a|img|iframe|input|form|object|svg|style|link)[\s>]|\s(?:href|src|on\w+|id)=/i);
  });

  it("keeps the words of what it does not follow", () => {
    expect(render("[words](javascript:alert(1))")).toContain("words");
    expect(render("![a cat](http://evil.example/cat.png)")).toContain("[a cat]");
    expect(render("<script>alert(1)</script>")).toContain("&lt;script&gt;");
  });

  it("shows Markdown as what it means", () => {
    const html = render(
      "# Title\n\nSome **bold** `code`\n\n1. one\n2. two\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n- [x] done",
    );
    for (const part of [
      '<h2 data-level="1">Title</h2>',
      "<strong>bold</strong>",
      "<code>code</code>",
      "<ol>",
      "<td",
      "☑",
    ])
      expect(html).toContain(part);
  });

  const huge = {
    "one line of a megabyte": "A".repeat(1_000_000),
    "a table of 20,000 rows": `|a|b|\n|-|-|\n${"|1|2|\n".repeat(20_000)}`,
    "quotes in quotes": "> ".repeat(5_000),
    "open brackets": "[".repeat(7_900),
    "open emphasis": "*a **b ".repeat(1_100),
    "links in links": "[a](".repeat(1_900),
    "backticks of every length": Array.from({ length: 120 }, (_, length) => "`".repeat(length)).join(" "),
    "nested lists": Array.from({ length: 100 }, (_, depth) => `${" ".repeat(depth * 2)}- x`)
      .join("\n")
      .slice(0, 7_900),
    "as many open brackets as are parsed": "[ ".repeat(30) + "a ".repeat(3_000),
    "as much open emphasis as is parsed": "*a **b ".repeat(266) + "a ".repeat(3_000),
    "broken entities": "&".repeat(7_900),
    "angle brackets": "<a ".repeat(2_600),
    autolinks: "http://a.b/".repeat(700),
    "e-mail like": "a@".repeat(3_900),
  };
  it.each(Object.entries(huge))("does not hang at %s", (_name, text) => {
    const start = performance.now();
    expect(render(text).length).toBeGreaterThan(1_000);
    expect(performance.now() - start).toBeLessThan(1_500);
  });
});
