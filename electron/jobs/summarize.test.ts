import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ScriptedModel } from "../backend/scripted/script";
import type { Fact } from "../engine/fact";
import { outputOf, scripted, TestEngine } from "../engine/test-engine";
import { MemoryStore } from "../store/memory-store";
import { summarize } from "./summarize";
import { called, ended, ran, recording } from "./test-tool";

/** Holds about 900 bytes of a text besides the prompt and the answer. */
const contextLength = 600;
const sentences = (count: number) =>
  Array.from({ length: count }, (_, index) => `The fact number ${index} is remarkable and long. `).join("");

/** What stands in a prompt as the text to summarize. */
const textIn = (prompt: string) => /<text>\n([\s\S]*)\n<\/text>/.exec(prompt)?.[1] ?? "";
const isPart = (prompt: string) => prompt.includes("part of a longer one");
const firstWords = (prompt: string) => textIn(prompt).split(" ").slice(0, 4).join(" ");

function engineOf(answer: (prompt: string) => string, script: ScriptedModel = {}) {
  const { model, prompts, requests } = recording(answer, { contextLength, ...script });
  const engine = new TestEngine(scripted(model));
  const told: { done: number; total: number; note: string }[] = [];
  engine.ledger.subscribe((fact: Fact) => {
    if (fact.kind === "progress") told.push({ done: fact.done, total: fact.total, note: fact.note });
  });
  return { engine, prompts, requests, told };
}

describe("the arguments of summarize", () => {
  it.each(["", " \n\t"])("are refused with %j as the text", (text) => {
    expect(summarize.input.safeParse({ text }).success).toBe(false);
  });
});

describe("a text that fits into the context", () => {
  it("is summarized at once, as the instructions and the limit say", async () => {
    const { engine, requests, told } = engineOf(() => "It is short.");
    const task = await ran(engine, summarize, {
      text: "A text.\nIt ends.",
      instructions: "Rhyme.",
      max_output_tokens: 9,
    });
    expect(outputOf(task)).toBe("It is short.");
    expect(task.title).toBe("A text.");
    expect(requests).toHaveLength(1);
    expect(requests[0]?.options.maxTokens).toBe(9);
    const prompt = requests[0]?.messages[0]?.text ?? "";
    expect([textIn(prompt), isPart(prompt), prompt.includes("Rhyme.")]).toEqual(["A text.\nIt ends.", false, true]);
    expect(told).toEqual([{ done: 0, total: 1, note: "Writing the summary" }]);
  });
});

describe("a text that is longer than the context", () => {
  it("is summarized part by part, then the summaries are", async () => {
    const { engine, prompts } = engineOf((prompt) => (isPart(prompt) ? `${firstWords(prompt)}.` : "All of it."));
    const text = sentences(100);
    const task = await ran(engine, summarize, { text });
    const parts = prompts.filter(isPart).map(textIn);
    expect(parts.length).toBeGreaterThan(4);
    expect(parts.join("")).toBe(text);
    for (const part of parts) expect(part).toMatch(/^The fact .* long\. $/s);
    expect(prompts.filter((prompt) => !isPart(prompt)).map(textIn)).toEqual([
      parts.map((part) => `${part.split(" ").slice(0, 4).join(" ")}.`).join("\n\n"),
    ]);
    expect(outputOf(task)).toBe("All of it.");
    const streamed = engine.events(task.id).flatMap(({ body }) => (body.type === "delta" ? [body.text] : []));
    expect(streamed.join("")).toBe("All of it.");
  });

  it("adds up what all its parts used", async () => {
    const { engine, prompts } = engineOf(() => "Two words.");
    const task = await ran(engine, summarize, { text: sentences(100) });
    const inputTokens = prompts.reduce((sum, prompt) => sum + 1 + (prompt.match(/\S+/g)?.length ?? 0), 0);
    expect(task.outcome).toMatchObject({ result: { usage: { inputTokens, outputTokens: 2 * prompts.length } } });
  });

  it("is summarized in as many levels as it takes, and its progress only grows", async () => {
    const answer = (prompt: string) => (isPart(prompt) ? sentences(4) : "All of it.");
    const { engine, told } = engineOf(answer);
    const task = await ran(engine, summarize, { text: sentences(400) });
    expect(outputOf(task)).toBe("All of it.");
    const levels = new Set(told.map(({ note }) => note.replace(/\d+ of \d+/, "")));
    const [first, second] = told.map(({ note }) => note);
    expect([first, second]).toEqual([
      expect.stringMatching(/^Part 1 of \d+$/),
      expect.stringMatching(/^Part 2 of \d+$/),
    ]);
    expect([...levels]).toEqual(["Part ", "Summaries, part ", "Writing the summary"]);
    for (const [index, { done, total }] of told.entries()) {
      expect(done).toBe(index);
      expect(total).toBeGreaterThan(done);
    }
    expect(told.at(-1)).toMatchObject({ done: told.length - 1, total: told.length });
    expect(told[0]?.total).toBeGreaterThan(0.5 * told.length);
  });

  it("is cut smaller where it has more tokens than estimated, without a word lost or told twice", async () => {
    const { engine, prompts } = engineOf((prompt) => (isPart(prompt) ? firstWords(prompt) : "Dense."));
    const text = `${sentences(40)}${"A b c d e f. ".repeat(300)}`;
    expect(outputOf(await ran(engine, summarize, { text }))).toBe("Dense.");
    const parts = prompts.filter(isPart).map(textIn);
    // The last one is short enough to stand in the next prompt as it is.
    const read = parts.join("");
    expect([text.startsWith(read), prompts.at(-1)?.includes(text.slice(read.length).trim())]).toEqual([true, true]);
    const lengths = parts.map(({ length }) => length);
    expect(Math.max(...lengths.slice(-5))).toBeLessThan(0.6 * Math.max(...lengths));
  });

  it("passes a part on as it is when it is as short as a summary", async () => {
    const { engine, prompts } = engineOf(() => "It drones on.");
    const end =
      "The end is short, but it stands in a part of its own, since the sentence before takes nearly all of the room.";
    await ran(engine, summarize, { text: `Words ${"and words ".repeat(90)}in one sentence. ${end}` });
    expect(prompts.map((prompt) => [isPart(prompt), textIn(prompt).slice(-end.length)])).toEqual([
      [true, expect.stringMatching(/in one sentence\. $/)],
      [false, end],
    ]);
  });

  it("takes only so much of a summary that the next level is shorter", async () => {
    const { engine, prompts } = engineOf((prompt) => (isPart(prompt) ? "No end of words. ".repeat(200) : "Done."));
    expect(outputOf(await ran(engine, summarize, { text: sentences(200) }))).toBe("Done.");
    expect(prompts.length).toBeLessThan(40);
  });

  it("goes on with the first unfinished part after a restart of the host", async () => {
    const store = new MemoryStore();
    const before = recording((prompt) => firstWords(prompt), { contextLength, hold: ["tokens"] });
    const backend = scripted(before.model);
    const first = new TestEngine(backend, { store });
    const { id } = await first.create({
      ...called(summarize, { text: sentences(100), model: "m" }),
      onRestart: "retry",
    });
    backend.release(4 + 4 + 2);
    await first.until(() => before.prompts.length === 3);
    await first.scheduler.close();
    const after = recording((prompt) => firstWords(prompt), { contextLength });
    const task = await ended(new TestEngine(scripted(after.model), { store }), id);
    expect(task.status).toBe("succeeded");
    expect(after.prompts[0]).toBe(before.prompts[2]);
    const parts = [...before.prompts.slice(0, 2), ...after.prompts].filter(isPart).map(textIn);
    expect(parts.join("")).toBe(sentences(100));
  });

  it("is read in whole and once, whatever it holds and however small the context is", async () => {
    const piece = fc.oneof(
      fc.lorem({ mode: "sentences" }),
      fc.string({ unit: "grapheme", maxLength: 90 }),
      fc.array(fc.constantFrom("a", "b."), { minLength: 200, maxLength: 400 }).map((letters) => letters.join(" ")),
    );
    const letters = (text: string) => text.replaceAll(/\s/g, "");
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 40 }),
        fc.integer({ min: 500, max: 900 }),
        async (pieces, context) => {
          const whole = `x${pieces.join(" ")}`;
          // What is too short to be summarized is passed on as it is, and is then all that there is.
          const { engine, prompts } = engineOf((prompt) => (isPart(prompt) ? "" : "All."), { contextLength: context });
          expect(outputOf(await ran(engine, summarize, { text: whole }))).toBe("All.");
          const parts = prompts.filter(isPart).map(textIn);
          let end = 0;
          for (const part of parts) {
            expect(whole.indexOf(part, end)).toBeGreaterThanOrEqual(end);
            end = whole.indexOf(part, end) + part.length;
          }
          expect(letters(prompts.map(textIn).join(""))).toHaveLength(letters(whole).length);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe("a text that cannot be summarized", () => {
  it("has instructions that leave no room for it", async () => {
    const { engine, prompts } = engineOf(() => "x");
    const task = await ran(engine, summarize, { text: "A text.", instructions: "Be careful. ".repeat(200) });
    expect(task.outcome).toMatchObject({
      problem: { code: "context_length_exceeded", detail: expect.stringContaining("shorter instructions") },
    });
    expect(prompts).toEqual([]);
  });

  it("has a model that only thinks", async () => {
    const thinking = { open: "<think>", close: "</think>", startsOpen: false };
    const { engine } = engineOf(() => `<think>${"hm ".repeat(1_000)}`, { thinking });
    const task = await ran(engine, summarize, { text: sentences(100) });
    expect(task.outcome).toMatchObject({
      problem: { code: "context_length_exceeded", detail: expect.stringContaining("thinking") },
    });
  });

  it("has instructions with more tokens than estimated, so that not even a small part fits", async () => {
    const { engine, prompts } = engineOf(() => "x", { contextLength: 2_000 });
    const task = await ran(engine, summarize, { text: sentences(100), instructions: "a ".repeat(1_700) });
    expect(task.outcome).toMatchObject({
      problem: { code: "context_length_exceeded", detail: expect.stringContaining("2000 tokens") },
    });
    expect(prompts).toEqual([]);
  });
});
