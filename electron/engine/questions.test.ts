import { describe, expect, it } from "vitest";
import type { Answer, Question, QuestionBody } from "../../shared/question";
import type { JobResult, Task } from "../../shared/task";
import { MemoryStore } from "../store/memory-store";
import type { Fact } from "./fact";
import type { Job } from "./job";
import { alice, bob, outputOf, scripted, TestEngine, type TestEngineOptions } from "./test-engine";

const form: QuestionBody = {
  type: "form",
  message: "Which colour?",
  schema: { type: "object", properties: { colour: { type: "string", minLength: 2 } }, required: ["colour"] },
};
const red: Answer = { action: "accept", content: { colour: "red" } };
const person = { client: "desktop", says: null, seesAll: true } as const;
const everything = {};

/** Asks, then writes what it was told. */
const asking: Job = {
  name: "asking",
  async run(context) {
    const answer = await context.ask("colour", form);
    return context.write(() => said(JSON.stringify(answer)));
  },
};

const askingTwice: Job = {
  name: "asking_twice",
  async run(context) {
    const answers = await Promise.all([context.ask("first", form), context.ask("second", form)]);
    return context.write(() => said(answers.map(({ action }) => action).join()));
  },
};

const askingThePerson: Job = {
  name: "asking_the_person",
  async run(context) {
    return { ...nothing, data: { ...(await context.ask("colour", form, "person")) } };
  },
};

const nothing: JobResult = { items: [], finish: "completed", usage: { inputTokens: 0, outputTokens: 0 } };

async function* said(text: string) {
  yield { type: "piece", output: "message", text, tokens: [1] } as const;
  yield { type: "ended", reason: "end", usage: { inputTokens: 0, outputTokens: 1 } } as const;
}

function engineThatAsks(options: TestEngineOptions = {}): TestEngine {
  return new TestEngine(scripted({ text: "Hello." }), { jobs: [asking, askingTwice, askingThePerson], ...options });
}

async function asked(engine: TestEngine, draft: Parameters<TestEngine["create"]>[0] = {}): Promise<Task> {
  const task = await engine.create({ job: "asking", model: "m", answers: ["form"], origin: "mcp", ...draft });
  await engine.becomes(task.id, "input_required");
  return task;
}

function questionOf(engine: TestEngine, { id }: Task, index = 0): Question {
  const question = engine.store.questions(id)[index];
  if (question === undefined) throw new Error("The task has asked nothing");
  return question;
}

describe("a question of a job", () => {
  it("is stored, and its task waits and then goes on with the answer", async () => {
    const engine = engineThatAsks();
    const task = await asked(engine);
    const question = questionOf(engine, task);
    expect(question).toMatchObject({ key: "colour", body: form, to: ["caller"], answered: null });
    engine.service.answer(alice, everything, task.id, question.id, red);
    await engine.becomes(task.id, "succeeded");
    expect(outputOf(engine.store.task(task.id))).toBe(JSON.stringify(red));
    expect(engine.path(task.id)).toEqual(["queued", "loading", "running", "input_required", "running", "succeeded"]);
    expect(engine.store.changes(task.id).at(-2)?.reason).toBe("answered by alice");
  });

  it("gives the model's place to others while it waits, and waits for its turn afterwards", async () => {
    const engine = new TestEngine(scripted({ text: "one two", hold: ["tokens"] }), { jobs: [asking] });
    const task = await asked(engine);
    const other = await engine.create();
    await engine.becomes(other.id, "running");
    engine.service.answer(alice, everything, task.id, questionOf(engine, task).id, red);
    await expect(engine.until(() => engine.status(task.id) === "succeeded")).rejects.toThrow("came to rest");
    expect(engine.status(task.id)).toBe("running");
    engine.service.cancel(alice, everything, other.id);
    await engine.becomes(task.id, "succeeded");
  });

  it("takes the first answer; who comes later is told who gave it", async () => {
    const engine = engineThatAsks();
    engine.service.attachPerson();
    const task = await asked(engine);
    const { id } = questionOf(engine, task);
    engine.service.answer(person, everything, task.id, id, { action: "decline" });
    expect(() => engine.service.answer(alice, everything, task.id, id, red)).toThrow("by desktop");
    await engine.becomes(task.id, "succeeded");
    expect(outputOf(engine.store.task(task.id))).toBe('{"action":"decline"}');
  });

  it("refuses content that does not fit and stays open", async () => {
    const engine = engineThatAsks();
    const task = await asked(engine);
    const { id } = questionOf(engine, task);
    const bad = (content: never) => () =>
      engine.service.answer(alice, everything, task.id, id, { action: "accept", content });
    expect(bad({ colour: "r" } as never)).toThrow(/^invalid_request: colour: /);
    expect(bad({} as never)).toThrow(/^invalid_request: colour: /);
    expect(bad("red" as never)).toThrow(/^invalid_request: content: /);
    expect(engine.status(task.id)).toBe("input_required");
    expect(questionOf(engine, task).answered).toBeNull();
  });

  it("is unknown to other clients", async () => {
    const engine = engineThatAsks();
    const task = await asked(engine);
    const { id } = questionOf(engine, task);
    expect(() => engine.service.questions(bob, everything, task.id)).toThrow("task_not_found");
    expect(() => engine.service.answer(bob, everything, task.id, id, red)).toThrow("task_not_found");
  });

  it("is told to its own client's listeners only, with its answer", async () => {
    const engine = engineThatAsks();
    const heard: Fact["kind"][][] = [[], []];
    for (const [index, caller] of [alice, bob].entries())
      engine.service.subscribe(caller, ({ kind }) => heard[index]?.push(kind));
    const task = await asked(engine);
    engine.service.answer(alice, everything, task.id, questionOf(engine, task).id, red);
    expect(heard[0]?.filter((kind) => kind !== "appended")).toEqual([
      "moved",
      "moved",
      "moved",
      "moved",
      "asked",
      "moved",
      "answered",
    ]);
    expect(heard[1]).toEqual([]);
  });

  it("waits for all that were asked together", async () => {
    const engine = engineThatAsks();
    const task = await asked(engine, { job: "asking_twice" });
    engine.service.answer(alice, everything, task.id, questionOf(engine, task, 1).id, { action: "cancel" });
    expect(engine.status(task.id)).toBe("input_required");
    engine.service.answer(alice, everything, task.id, questionOf(engine, task, 0).id, red);
    await engine.becomes(task.id, "succeeded");
    expect(outputOf(engine.store.task(task.id))).toBe("accept,cancel");
  });

  it("ends when its task is cancelled", async () => {
    const engine = engineThatAsks();
    const task = await asked(engine);
    const { id } = questionOf(engine, task);
    engine.service.cancel(alice, everything, task.id);
    await engine.becomes(task.id, "cancelled");
    expect(() => engine.service.answer(alice, everything, task.id, id, red)).toThrow("question_answered");
  });

  it("is not asked when nobody can answer", async () => {
    const engine = engineThatAsks();
    const task = await engine.create({ job: "asking", origin: "mcp", answers: [] });
    await engine.becomes(task.id, "failed");
    expect(engine.store.task(task.id)?.outcome).toMatchObject({ problem: { code: "nobody_to_ask" } });
    expect(engine.store.questions(task.id)).toEqual([]);
  });

  it("goes to the person alone when the job wants that, and to nobody when no window is open", async () => {
    const engine = engineThatAsks();
    const draft = { job: "asking_the_person", origin: "mcp", answers: ["form"] } as const;
    const lonely = await engine.create(draft);
    await engine.becomes(lonely.id, "failed");
    expect(engine.store.task(lonely.id)?.outcome).toMatchObject({ problem: { code: "no_person" } });
    const detach = engine.service.attachPerson();
    const task = await asked(engine, draft);
    expect(questionOf(engine, task).to).toEqual(["person"]);
    expect(engine.service.questions(alice, everything, task.id)).toEqual([]);
    detach();
    engine.service.answer(person, everything, task.id, questionOf(engine, task).id, red);
    await engine.becomes(task.id, "succeeded");
    expect(engine.store.task(task.id)?.outcome).toMatchObject({ result: { data: red } });
  });
});

describe("a restart of the host while a question is open", () => {
  it("leaves it open, and its answer lets the task go on", async () => {
    const store = new MemoryStore();
    const before = engineThatAsks({ store });
    const task = await asked(before);
    const question = questionOf(before, task);
    await before.scheduler.close();
    const engine = engineThatAsks({ store });
    expect(engine.status(task.id)).toBe("input_required");
    engine.service.answer(alice, everything, task.id, question.id, red);
    await engine.becomes(task.id, "succeeded");
    expect(outputOf(engine.store.task(task.id))).toBe(JSON.stringify(red));
    expect(engine.store.questions(task.id)).toHaveLength(1);
    expect(engine.path(task.id).at(-1)).toBe("succeeded");
  });

  it("lets the task be cancelled though nothing runs it", async () => {
    const store = new MemoryStore();
    const before = engineThatAsks({ store });
    const task = await asked(before);
    await before.scheduler.close();
    const engine = engineThatAsks({ store });
    engine.service.cancel(alice, everything, task.id, "no longer wanted");
    await engine.becomes(task.id, "cancelled");
    expect(engine.store.task(task.id)?.outcome).toEqual({ kind: "cancelled", reason: "no longer wanted" });
  });

  it("ends an LMSP task whose policy is fail", async () => {
    const store = new MemoryStore();
    const before = engineThatAsks({ store });
    const task = await asked(before, { origin: "lmsp" });
    await before.scheduler.close();
    expect(engineThatAsks({ store }).status(task.id)).toBe("failed");
  });
});
