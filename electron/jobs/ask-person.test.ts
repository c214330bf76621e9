import { describe, expect, it } from "vitest";
import type { Caller } from "../engine/caller";
import { scripted, TestEngine } from "../engine/test-engine";
import { askPerson } from "./ask-person";
import { called, ended } from "./test-tool";

const person: Caller = { client: "desktop", says: null, seesAll: true };

async function asking(args: Readonly<Record<string, unknown>>) {
  const engine = new TestEngine(scripted({}));
  engine.service.attachPerson();
  const { id } = await engine.create({ ...called(askPerson, args), unnamedModel: "none", answers: ["form"] });
  await engine.becomes(id, "input_required");
  const [question] = engine.service.questions(person, {}, id);
  if (question === undefined) throw new Error("Nothing was asked");
  return { engine, id, question };
}

describe("ask_person", () => {
  it("asks the person alone, in one field for free text, and loads no model", async () => {
    const { engine, id, question } = await asking({ question: "Which colour?\nAny will do." });
    expect(question).toMatchObject({
      to: ["person"],
      body: {
        type: "form",
        message: "Which colour?\nAny will do.",
        schema: { properties: { answer: { type: "string" } }, required: ["answer"] },
      },
    });
    engine.service.answer(person, {}, id, question.id, { action: "accept", content: { answer: "red" } });
    const task = await ended(engine, id);
    expect(task).toMatchObject({ title: "Which colour?", model: null });
    expect(task.outcome).toMatchObject({
      result: { items: [], data: { action: "accept", content: { answer: "red" } } },
    });
    expect(await engine.backend.stats()).toMatchObject({ loads: 0 });
  });

  it("asks with the form that it is given", async () => {
    const schema = { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] };
    const { question } = await asking({ question: "Sure?", schema });
    expect(question.body).toEqual({ type: "form", message: "Sure?", schema });
  });

  it.each(["decline", "cancel"] as const)("takes %s for an answer", async (action) => {
    const { engine, id, question } = await asking({ question: "Sure?" });
    engine.service.answer(person, {}, id, question.id, { action });
    const { outcome } = await ended(engine, id);
    expect(outcome).toMatchObject({ kind: "result", result: { data: { action } } });
    if (outcome?.kind === "result") expect(askPerson.output?.safeParse(outcome.result.data).success).toBe(true);
  });

  it("fails at once when no window is open, whatever the caller can answer", async () => {
    const engine = new TestEngine(scripted({}));
    const draft = called(askPerson, { question: "Sure?" });
    const { id } = await engine.create({ ...draft, unnamedModel: "none", answers: ["form"] });
    expect((await ended(engine, id)).outcome).toMatchObject({ problem: { code: "no_person" } });
  });

  it.each([
    ["no question", {}],
    ["an empty question", { question: "" }],
    ["a nested form", { question: "?", schema: { type: "object", properties: { a: { type: "object" } } } }],
    ["a form without properties", { question: "?", schema: { type: "object" } }],
  ])("refuses %s", (_, args) => {
    expect(askPerson.input.safeParse(args).success).toBe(false);
  });
});
