import { describe, expect, it } from "vitest";
import { alice, outputOf, scripted, TestEngine } from "../engine/test-engine";
import type { TaskTool } from "../engine/tool";
import { batch } from "./batch";
import { generate } from "./generate";
import { summarize } from "./summarize";
import { type Arguments, called, ended, installed, recording } from "./test-tool";

describe("a task without a model", () => {
  const models = [installed("m", { loaded: true }), installed("n", { contextLength: null, sizeBytes: 350_000_000 })];

  async function asking(
    answers: readonly "form"[] = ["form"],
    tool: TaskTool = generate,
    args: Arguments = { prompt: "Hi" },
  ) {
    const n = recording(() => "written by n");
    const engine = new TestEngine(scripted({ text: "written by m" }, { n: n.model }), { models });
    const { id } = await engine.create({ ...called(tool, args), answers });
    return { engine, id };
  }

  async function asked({ engine, id }: Awaited<ReturnType<typeof asking>>) {
    await engine.becomes(id, "input_required");
    const [question] = engine.service.questions(alice, {}, id);
    if (question === undefined) throw new Error("Nothing was asked");
    return question;
  }

  it("asks which of the installed ones, with what helps to choose, and writes with it", async () => {
    const run = await asking();
    const question = await asked(run);
    expect(question).toMatchObject({
      key: "model",
      body: {
        type: "form",
        schema: {
          properties: {
            model: {
              oneOf: [
                { const: "m", title: "m (4.7 GB, context of 8,192 tokens, loaded)" },
                { const: "n", title: "n (350 MB)" },
              ],
            },
          },
          required: ["model"],
        },
      },
    });
    run.engine.service.answer(alice, {}, run.id, question.id, { action: "accept", content: { model: "n" } });
    const task = await ended(run.engine, run.id);
    expect([outputOf(task), task.model]).toEqual(["written by n", "n"]);
    // What was told before the choice stays as it was.
    const [created, started] = run.engine.store.events(run.id, -1, 2).map(({ body }) => body);
    expect([created, started]).toEqual([
      { type: "created", model: null },
      { type: "started", attempt: 1, model: null },
    ]);
  });

  it.each<[string, TaskTool, Arguments]>([
    ["generate", generate, { prompt: "Hi" }],
    ["summarize", summarize, { text: "A text." }],
    ["batch", batch, { template: "{{input}}", inputs: ["a"] }],
  ])("may be one of %s", async (_, tool, args) => {
    const run = await asking(["form"], tool, args);
    const question = await asked(run);
    run.engine.service.answer(alice, {}, run.id, question.id, { action: "accept", content: { model: "n" } });
    expect(await ended(run.engine, run.id)).toMatchObject({ status: "succeeded", model: "n" });
  });

  it.each([
    ["decline", "declined"],
    ["cancel", "dismissed"],
  ] as const)("fails and says so when the answer is %s", async (action, word) => {
    const run = await asking();
    const question = await asked(run);
    run.engine.service.answer(alice, {}, run.id, question.id, { action });
    expect((await ended(run.engine, run.id)).outcome).toMatchObject({
      problem: { code: "model_required", detail: expect.stringContaining(`${word}; name one of them: m, n.`) },
    });
  });

  it("fails and names the models when nobody can be asked", async () => {
    const { engine, id } = await asking([]);
    expect((await ended(engine, id)).outcome).toMatchObject({
      problem: { code: "nobody_to_ask", detail: expect.stringContaining("name one: m, n.") },
    });
  });
});
