import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { contract, type Input } from "../../../shared/desktop/contract";
import { type Feed, feedSchema, type HostStatus } from "../../../shared/desktop/feed";
import type { QuestionView } from "../../../shared/desktop/questions";
import type { FormSchema } from "../../../shared/form-schema";
import type { ScriptedModel } from "../../backend/scripted/script";
import type { ScriptedBackend } from "../../backend/scripted/scripted-backend";
import type { Job } from "../../engine/job";
import { bob, outputOf, scripted, TestEngine } from "../../engine/test-engine";
import { DesktopFace } from "./desktop-face";

const host: HostStatus = {
  url: "http://127.0.0.1:1",
  version: "1",
  endpointProblem: null,
  inferenceProblem: null,
  loadedModels: [],
  storage: null,
  warnings: [],
};
const newTask: Input<"create"> = { prompt: "Write about tea.\nAt length." };

describe("the window's face", () => {
  let backend: ScriptedBackend;
  let engine: TestEngine;
  let face: DesktopFace;
  let sent: Feed[];

  function open(model: ScriptedModel, jobs: readonly Job[] = []): void {
    backend = scripted(model);
    engine = new TestEngine(backend, { jobs });
    sent = [];
    face = new DesktopFace({
      service: engine.service,
      clock: engine.clock,
      host: () => host,
      send: (feed) => sent.push(feedSchema.parse(feed)),
    });
  }
  beforeEach(() => open({ text: "one two three four five six seven", hold: ["tokens"] }));

  async function create(input: Input<"create"> = newTask): Promise<string> {
    const { id } = await face.handlers.create(contract.create.input.parse(input));
    return id;
  }

  /** Lets the engine come to rest, then as much time pass. */
  async function pass(milliseconds: number): Promise<void> {
    for (let turn = 0; turn < 60; turn += 1) await setImmediate();
    engine.clock.advance(milliseconds);
  }

  it("shows every client's tasks by name, and stops anyone's", async () => {
    const foreign = await engine.create({ caller: bob });
    const own = await create();
    const { rows } = await face.handlers.snapshot(null);
    expect(rows.map(({ id, client, title }) => [id, client, title])).toEqual([
      [own, "desktop", "Write about tea."],
      [foreign.id, "bob", "Hello"],
    ]);
    face.handlers.cancel({ id: foreign.id });
    await engine.becomes(foreign.id, "cancelled");
  });

  it("has a model tried again that was put aside", async () => {
    const model = { sizeBytes: 1, embedded: false, contextLength: null, default: false, loaded: false };
    const models = ["good", "bad"].map((id) => ({ ...model, id, putAside: id === "bad" ? "It crashed." : null }));
    engine = new TestEngine(scripted({}), { models });
    face = new DesktopFace({ service: engine.service, clock: engine.clock, host: () => host, send: () => undefined });
    expect(contract.models.output.parse(await face.handlers.models(null))).toEqual(models);
    expect(face.handlers.forgiveModel({ model: "bad" })).toBeNull();
    expect(await face.handlers.models(null)).toMatchObject([{ putAside: null }, { putAside: null }]);
  });

  it("goes on from the snapshot's rev without a gap, and says what changed", async () => {
    await engine.create({ caller: bob, model: "missing" });
    await pass(1_000);
    const { rev } = await face.handlers.snapshot(null);
    sent = [];
    const id = await create();
    await pass(1_000);
    backend.release(100);
    await engine.becomes(id, "succeeded");
    await pass(1_000);
    expect([sent[0]?.from, sent.length > 1]).toEqual([rev, true]);
    for (const [index, { from }] of sent.slice(1).entries()) expect(from).toBe(sent[index]?.to);
    expect(sent.at(-1)?.to).toBe(engine.service.rev);
    expect(sent.flatMap(({ rows }) => rows).at(-1)).toMatchObject({ id, status: "succeeded", tokens: 7 });
  });

  it("sends at most twenty messages a second, whatever the engine does", async () => {
    open({ text: "on and on ", endless: true, contextLength: 4_000, hold: ["tokens"] });
    const id = await create();
    await face.handlers.watch({ id });
    await pass(0);
    for (let step = 0; step < 200; step += 1) {
      backend.release(2);
      await pass(5);
    }
    expect(engine.events(id).length).toBeGreaterThan(30);
    expect(sent.length).toBeGreaterThan(5);
    expect(sent.length).toBeLessThanOrEqual(21);
    face.handlers.cancel({ id });
    await engine.becomes(id, "cancelled");
  });

  it("gives a window that opens a task in the middle its text so far, then exactly what follows", async () => {
    const id = await create();
    backend.release(3);
    await pass(100);
    const detail = await face.handlers.watch({ id });
    expect(detail.output.map(({ text }) => text)).toEqual(["one two three"]);
    expect(detail.changes.map(({ to }) => to)).toEqual(["queued", "loading", "running"]);
    sent = [];
    backend.release(2);
    await pass(100);
    await pass(100);
    face.handlers.snapshot(null);
    backend.release(100);
    await engine.becomes(id, "succeeded");
    await pass(100);
    let text = detail.output[0]?.text ?? "";
    for (const { from, text: more, taskId } of sent.flatMap(({ output }) => output)) {
      expect([taskId, from]).toEqual([id, text.length]);
      text += more;
    }
    expect(text).toBe(outputOf(engine.store.task(id)));
    expect(sent.flatMap(({ changes }) => changes.map(({ to }) => to))).toEqual(["succeeded"]);
    expect((await face.handlers.watch({ id })).output.map((item) => item.text)).toEqual([text]);
  });

  it("carries the output of the watched task only, and none when nothing is watched", async () => {
    const [first, second] = [await create(), await create()];
    await face.handlers.watch({ id: second });
    backend.release(4);
    await pass(100);
    await pass(100);
    expect(sent.flatMap(({ output }) => output)).toEqual([]);
    expect(sent.flatMap(({ rows }) => rows).some(({ id, tokens }) => id === first && tokens > 0)).toBe(true);
    face.handlers.unwatch(null);
  });

  it("begins the output anew when another attempt begins", async () => {
    const id = await create({ ...newTask, onRestart: "retry" });
    backend.release(3);
    await pass(100);
    await face.handlers.watch({ id });
    const task = engine.store.task(id);
    if (task === undefined) throw new Error("gone");
    sent = [];
    engine.ledger.restartAttempt(task, "lost", "starts over");
    backend.release(2);
    await pass(100);
    await pass(100);
    expect(sent.flatMap(({ output }) => output)[0]).toMatchObject({ attempt: 2, from: 0 });
    expect((await face.handlers.watch({ id })).row.attempt).toBe(2);
  });

  it("lets the output go on in an attempt that goes on, and counts its tokens to their attempts", async () => {
    const id = await create({ ...newTask, onRestart: "resume" });
    backend.release(3);
    await pass(100);
    await face.handlers.watch({ id });
    const task = engine.store.task(id);
    if (task === undefined) throw new Error("gone");
    sent = [];
    engine.ledger.restartAttempt(task, "lost", "goes on");
    backend.release(2);
    await pass(100);
    await pass(100);
    const [output] = sent.flatMap((feed) => feed.output);
    expect(output?.attempt).toBe(2);
    expect(output?.from).toBeGreaterThan(0);
    const { row, samples } = await face.handlers.watch({ id });
    expect(row.tokens).toBe(5);
    expect(new Set(samples.map(({ attempt }) => attempt))).toEqual(new Set([1, 2]));
  });

  it("tells how the host is when that changes", async () => {
    face.tellHost();
    await pass(100);
    expect(sent.map((feed) => feed.host)).toEqual([host]);
  });

  describe("a question", () => {
    const schema: FormSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    const asking: Job = {
      name: "asking",
      async run(context) {
        const ask = (key: string, to?: "person") => context.ask(key, { type: "form", message: key, schema }, to);
        await Promise.all([ask("First?"), ask("Second?", "person")]);
        return { items: [], finish: "completed", usage: { inputTokens: 0, outputTokens: 0 } };
      },
    };
    const accept = { action: "accept", content: { name: "x" } } as const;

    async function asked(): Promise<{ id: string; first: QuestionView; second: QuestionView }> {
      open({ text: "" }, [asking]);
      const { id } = await engine.create({ caller: bob, job: "asking", answers: ["form"] });
      await engine.becomes(id, "input_required");
      await pass(100);
      const [first, second] = (await face.handlers.watch({ id })).questions;
      if (first === undefined || second === undefined) throw new Error("it did not ask");
      sent = [];
      return { id, first, second };
    }
    const question = async () => (await face.handlers.snapshot(null)).rows[0]?.question;
    const told = () => sent.flatMap(({ questions }) => questions.map(({ body, answered }) => [body, answered]));

    it("stands in the row and in the detail, with who may answer it", async () => {
      const { first, second } = await asked();
      expect(await question()).toEqual({ id: second.id, message: "Second?" });
      expect(first).toMatchObject({ forPerson: true, forCaller: true, answered: null });
      expect(second).toMatchObject({
        forPerson: true,
        forCaller: false,
        body: { type: "form", message: "Second?", schema },
      });
    });

    it("is told with its row as soon as it is asked, though its task had moved before", async () => {
      open({ text: "" }, [asking]);
      const { id } = await engine.create({ caller: bob, job: "asking", answers: ["form"] });
      await face.handlers.watch({ id });
      await engine.becomes(id, "input_required");
      await pass(50);
      expect(told()).toMatchObject([
        [{ message: "First?" }, null],
        [{ message: "Second?" }, null],
      ]);
      expect(sent.flatMap(({ rows }) => rows).at(-1)?.question?.message).toBe("Second?");
    });

    it("is answered in the person's name, and the others stay open", async () => {
      const { id, first, second } = await asked();
      const answered = await face.handlers.answer({ id, questionId: second.id, answer: accept });
      expect(answered.answered).toMatchObject({ action: "accept", by: null });
      await pass(50);
      expect(told()).toMatchObject([[{ message: "Second?" }, { by: null }]]);
      expect(await question()).toEqual({ id: first.id, message: "First?" });
    });

    it("that its caller answers is told with the caller's name, and then nobody is needed", async () => {
      const { id, first, second } = await asked();
      engine.service.answer(bob, {}, id, first.id, { action: "decline" });
      await face.handlers.answer({ id, questionId: second.id, answer: accept });
      await engine.becomes(id, "succeeded");
      await pass(50);
      expect(told()).toMatchObject([
        [{ message: "First?" }, { action: "decline", by: "bob" }],
        [{ message: "Second?" }, { by: null }],
      ]);
      expect(await question()).toBeNull();
      const { changes } = await face.handlers.watch({ id });
      expect(changes.map(({ reason }) => reason)).toContain("answered by desktop");
    });

    it("is answered once, and by its schema", async () => {
      const { id, first } = await asked();
      engine.service.answer(bob, {}, id, first.id, accept);
      const answer = (questionId: string, content: Record<string, string>) => async () =>
        face.handlers.answer({ id, questionId, answer: { action: "accept", content } });
      await expect(answer(first.id, accept.content)).rejects.toThrow("question_answered");
      const { questions } = await face.handlers.watch({ id });
      await expect(answer(questions[1]?.id ?? "", {})).rejects.toThrow("name: This is required.");
    });

    it("of another task is not told to who watches this one", async () => {
      open({ text: "" }, [asking]);
      const watched = await create();
      await engine.becomes(watched, "succeeded");
      await face.handlers.watch({ id: watched });
      await engine.create({ caller: bob, job: "asking", answers: ["form"] });
      await pass(100);
      await pass(100);
      expect(told()).toEqual([]);
      expect(sent.flatMap(({ rows }) => rows).some((row) => row.question !== null)).toBe(true);
    });

    it("has no person to go to once the window is gone", async () => {
      open({ text: "" }, [asking]);
      face.close();
      const { id } = await engine.create({ caller: bob, job: "asking" });
      await engine.becomes(id, "failed");
      expect(engine.store.task(id)?.outcome).toMatchObject({
        problem: { code: expect.stringMatching(/person|nobody/) },
      });
    });
  });
});
