import { describe, expect, it } from "vitest";
import type { Task } from "../../shared/task";
import type { Fact } from "../engine/fact";
import { scripted, TestEngine } from "../engine/test-engine";
import { MemoryStore } from "../store/memory-store";
import { batch } from "./batch";
import { type Arguments, called, ended, ran, recording } from "./test-tool";

const template = "Say {{input}} twice: {{input}}";
const shout = (prompt: string) => prompt.toUpperCase();
/** Has more tokens than the scripted model's context. */
const tooLong = "word ".repeat(5_000);

function itemsOf({ outcome }: Task): unknown {
  if (outcome?.kind !== "result") throw new Error("The task has no result");
  expect(batch.output?.safeParse(outcome.result.data).error).toBeUndefined();
  return outcome.result.data;
}

describe("the arguments of batch", () => {
  it.each<[string, Arguments]>([
    ["a template without a place for the input", { template: "Say it.", inputs: ["a"] }],
    ["no inputs", { template, inputs: [] }],
    ["too many inputs", { template, inputs: Array.from({ length: 1_001 }, () => "a") }],
    ["an input that is no text", { template, inputs: [1] }],
  ])("are refused with %s", (_, args) => {
    expect(batch.input.safeParse(args).success).toBe(false);
  });
});

describe("a batch task", () => {
  it("answers every input in order, filled in wherever the template says so", async () => {
    const { model, requests } = recording(shout);
    const engine = new TestEngine(scripted(model));
    const args = { template, inputs: ["a", "$& {{input}}"], system: "Be brief.", seed: 7 };
    const task = await ran(engine, batch, args);
    expect(itemsOf(task)).toEqual({
      items: [
        { index: 0, ok: true, text: "SAY A TWICE: A" },
        { index: 1, ok: true, text: "SAY $& {{INPUT}} TWICE: $& {{INPUT}}" },
      ],
    });
    expect(requests[0]).toMatchObject({
      messages: [{ role: "system", text: "Be brief." }, { role: "user" }],
      options: { seed: 7 },
    });
    expect(task).toMatchObject({ title: template, outcome: { result: { items: [], usage: { outputTokens: 4 + 6 } } } });
  });

  it("goes on after an input that fails, and says why for that one", async () => {
    const engine = new TestEngine(scripted(recording(shout).model));
    const task = await ran(engine, batch, { template: "{{input}}", inputs: ["a", tooLong, "b"] });
    expect(itemsOf(task)).toEqual({
      items: [
        { index: 0, ok: true, text: "A" },
        { index: 1, ok: false, error: { code: "context_length_exceeded", detail: expect.stringContaining("4096") } },
        { index: 2, ok: true, text: "B" },
      ],
    });
  });

  it("succeeds also when every input fails: each says so for itself", async () => {
    const engine = new TestEngine(scripted({}));
    const task = await ran(engine, batch, { template: "{{input}}", inputs: [tooLong, tooLong] });
    expect(itemsOf(task)).toMatchObject({ items: [{ ok: false }, { ok: false }] });
  });

  it("says of a text that was cut short why", async () => {
    const engine = new TestEngine(scripted({ text: "one two three" }));
    const task = await ran(engine, batch, { template: "{{input}}", inputs: ["a"], max_output_tokens: 2 });
    expect(itemsOf(task)).toEqual({ items: [{ index: 0, ok: true, text: "one two", finish: "max_output_tokens" }] });
  });

  it("fails as a whole when the inference process is lost", async () => {
    const engine = new TestEngine(scripted({ text: "a b", crashes: 1 }));
    const task = await ran(engine, batch, { template: "{{input}}", inputs: ["a", "b"] });
    expect(task.outcome).toMatchObject({ problem: { code: "backend_crashed" } });
  });

  it("tells after each input how far it is", async () => {
    const engine = new TestEngine(scripted({ text: "x" }));
    const told: unknown[] = [];
    engine.ledger.subscribe((fact: Fact) => {
      if (fact.kind === "progress") told.push([fact.done, fact.total, fact.note]);
    });
    await ran(engine, batch, { template: "{{input}}", inputs: ["a", "b"] });
    expect(told).toEqual([
      [0, 2, "Input 1 of 2"],
      [1, 2, "Input 2 of 2"],
      [2, 2, "All inputs are done"],
    ]);
  });

  it("goes on with the first unfinished input after a restart of the host", async () => {
    const store = new MemoryStore();
    const before = recording(shout, { hold: ["tokens"] });
    const backend = scripted(before.model);
    const first = new TestEngine(backend, { store });
    const args = { template: "{{input}}", inputs: ["a", "b", "c"], model: "m" };
    const { id } = await first.create({ ...called(batch, args), onRestart: "retry" });
    backend.release(2);
    await first.until(() => before.prompts.length === 2);
    await first.scheduler.close();
    const after = recording((prompt) => `${prompt} again`);
    const second = new TestEngine(scripted(after.model), { store });
    expect(itemsOf(await ended(second, id))).toMatchObject({
      items: [{ text: "A" }, { text: "b again" }, { text: "c again" }],
    });
    expect(after.prompts).toEqual(["b", "c"]);
  });
});
