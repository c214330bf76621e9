import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { isTerminal, type TaskStatus } from "../../shared/lifecycle";
import { ProblemError } from "../../shared/problem";
import { MemoryStore } from "../store/memory-store";
import { alice, bob, outputOf, scripted, TestEngine } from "./test-engine";

const long = { text: "one two three four five six seven eight nine ten", hold: ["tokens" as const] };

describe("a task's run", () => {
  it("goes from queued to succeeded, and its stream from created to the one final event", async () => {
    const engine = new TestEngine(scripted({ text: "Hello there." }));
    const { id } = await engine.create();
    await engine.becomes(id, "succeeded");
    expect(engine.path(id)).toEqual(["queued", "loading", "running", "succeeded"]);
    const events = engine.events(id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    expect(events.map(({ body }) => body.type).filter((type) => type !== "delta")).toEqual([
      "created",
      "started",
      "item_opened",
      "part_opened",
      "text_closed",
      "part_closed",
      "item_closed",
      "ended",
    ]);
    expect(outputOf(engine.store.task(id))).toBe("Hello there.");
  });

  it("commits the first delta at once and the later ones together, with the ids of all tokens", async () => {
    const backend = scripted(long);
    const engine = new TestEngine(backend);
    const { id } = await engine.create();
    const deltas = () => engine.events(id).flatMap(({ body }) => (body.type === "delta" ? [body] : []));
    backend.release(1);
    await engine.until(() => deltas().length === 1);
    expect(deltas()[0]?.text).toBe("one");
    backend.release(4);
    for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    expect(deltas()).toHaveLength(1);
    engine.clock.advance(30);
    expect(deltas().map(({ text }) => text)).toEqual(["one", " two three four five"]);
    expect(deltas()[1]?.tokens).toHaveLength(4);
    backend.release(100);
    await engine.becomes(id, "succeeded");
    const tokens = engine.events(id).flatMap(({ body }) => ("tokens" in body ? body.tokens : []));
    expect(tokens).toHaveLength(10);
  });

  it("keeps a reasoning model's thinking in an item of its own, before the message", async () => {
    const thinking = { open: "<think>", close: "</think>", startsOpen: false };
    const engine = new TestEngine(scripted({ text: "<think>Hm.</think>Yes.", thinking }));
    const { id } = await engine.create();
    await engine.becomes(id, "succeeded");
    const outcome = engine.store.task(id)?.outcome;
    const items = outcome?.kind === "result" ? outcome.result.items : [];
    expect(items.map(({ type, text }) => [type, text])).toEqual([
      ["reasoning", "Hm."],
      ["message", "Yes."],
    ]);
    const indexes = engine.events(id).flatMap(({ body }) => (body.type === "delta" ? [body.index] : []));
    expect(new Set(indexes)).toEqual(new Set([0, 1]));
  });

  it("has a message also when the model says nothing", async () => {
    const engine = new TestEngine(scripted({ text: "" }));
    const { id } = await engine.create();
    await engine.becomes(id, "succeeded");
    expect(engine.store.task(id)?.outcome).toMatchObject({ result: { items: [{ type: "message", text: "" }] } });
  });

  it("fails with the problem of its model, and the next task runs", async () => {
    const engine = new TestEngine(scripted({ text: "x" }, { broken: { loadFails: "it is cut" } }));
    const failing = await engine.create({ model: "broken" });
    await engine.becomes(failing.id, "failed");
    expect(engine.store.task(failing.id)?.outcome).toMatchObject({ problem: { code: "model_load_failed" } });
    expect(engine.events(failing.id).map(({ body }) => body.type)).toEqual(["created", "ended"]);
    const next = await engine.create();
    await engine.becomes(next.id, "succeeded");
  });

  it("ends as incomplete at the context's limit when the model never stops, and the queue moves on", async () => {
    const engine = new TestEngine(scripted({ text: "on and on ", endless: true, contextLength: 64 }));
    const [first, second] = [await engine.create(), await engine.create()];
    await engine.becomes(second.id, "succeeded");
    expect(engine.store.task(first.id)?.outcome).toMatchObject({ result: { finish: "context_length" } });
  });
});

describe("cancelling", () => {
  it("takes a queued task out at once: it never loads or runs, and the one behind it is next", async () => {
    const backend = scripted(long);
    const engine = new TestEngine(backend);
    const [a, b, c] = [await engine.create(), await engine.create(), await engine.create()];
    await engine.becomes(a.id, "running");
    expect(engine.service.cancel(alice, {}, b.id).status).toBe("cancelled");
    backend.release(11);
    await engine.becomes(c.id, "running");
    expect([engine.path(a.id).at(-1), engine.path(b.id)]).toEqual(["succeeded", ["queued", "cancelled"]]);
    backend.release(11);
    await engine.becomes(c.id, "succeeded");
  });

  it("stops a load that nobody else waits for", async () => {
    const backend = scripted({ text: "x", hold: ["load"] });
    const engine = new TestEngine(backend);
    const { id } = await engine.create();
    await engine.becomes(id, "loading");
    expect(engine.service.cancel(alice, {}, id).status).toBe("cancelling");
    await engine.becomes(id, "cancelled");
    expect(engine.path(id)).toEqual(["queued", "loading", "cancelling", "cancelled"]);
    const next = await engine.create();
    await engine.becomes(next.id, "loading");
    backend.finishLoad();
    await engine.becomes(next.id, "succeeded");
  });

  it("stops a prompt that is being read, before any output", async () => {
    const engine = new TestEngine(scripted({ text: "x", hold: ["reading"] }));
    const { id } = await engine.create();
    await engine.becomes(id, "running");
    engine.service.cancel(alice, {}, id);
    await engine.becomes(id, "cancelled");
    expect(engine.events(id).map(({ body }) => body.type)).toEqual(["created", "started", "ended"]);
    expect((await engine.backend.stats()).generating).toBe(0);
  });

  it("drops late output, and is no error however often it is asked", async () => {
    const backend = scripted(long);
    const engine = new TestEngine(backend);
    const { id } = await engine.create();
    backend.release(1);
    await engine.until(() => engine.events(id).some(({ body }) => body.type === "delta"));
    const before = engine.events(id).length;
    expect(engine.service.cancel(alice, {}, id).status).toBe("cancelling");
    expect(engine.service.cancel(alice, {}, id).status).toBe("cancelling");
    backend.release(5);
    engine.clock.advance(1_000);
    await engine.becomes(id, "cancelled");
    expect(engine.service.cancel(alice, {}, id).status).toBe("cancelled");
    expect(
      engine
        .events(id)
        .slice(before)
        .map(({ body }) => body.type),
    ).toEqual(["ended"]);
  });

  it("is refused for what has ended, and unknown for what is not one's own", async () => {
    const engine = new TestEngine(scripted({ text: "x" }));
    const { id } = await engine.create();
    await engine.becomes(id, "succeeded");
    expect(() => engine.service.cancel(alice, {}, id)).toThrow("task_not_cancelable");
    expect(() => engine.service.cancel(bob, {}, id)).toThrow("task_not_found");
    expect(() => engine.service.cancel(alice, {}, "task_nonsense")).toThrow("task_not_found");
  });

  it("leaks no slot: after many cancels at any moment, the next task runs", async () => {
    const backend = scripted({ ...long, parallel: 2 });
    const engine = new TestEngine(backend);
    for (let round = 0; round < 50; round += 1) {
      const { id } = await engine.create();
      for (let turn = 0; turn < round % 9; turn += 1) await setImmediate();
      engine.service.cancel(alice, {}, id);
      await engine.becomes(id, "cancelled");
    }
    const { id } = await engine.create();
    await engine.until(() => engine.status(id) === "running");
    backend.release(1_000);
    await engine.becomes(id, "succeeded");
    expect(await engine.backend.stats()).toMatchObject({ generating: 0, loads: expect.any(Number) });
  });

  it("races the finish a thousand times: every path is legal, one final event, what is terminal stays", async () => {
    const ends = new Set<TaskStatus>();
    const backend = scripted({ text: "one two three", parallel: 8 });
    const engine = new TestEngine(backend);
    const terminal = new Map<string, TaskStatus>();
    engine.ledger.subscribe((fact) => {
      if (fact.kind !== "moved") return;
      expect(terminal.has(fact.task.id)).toBe(false);
      if (isTerminal(fact.task.status)) terminal.set(fact.task.id, fact.task.status);
    });
    for (let race = 0; race < 1_000; race += 1) {
      const { id } = await engine.create();
      const early = race % 2 === 0;
      if (early) for (let turn = 0; turn < race % 12; turn += 1) await setImmediate();
      else await engine.becomes(id, "succeeded");
      const refused = cancelled(engine, id);
      await engine.until(() => terminal.has(id));
      if (!early) expect(refused).toBe(true);
      const path = engine.path(id);
      ends.add(path.at(-1) ?? "queued");
      expect(engine.status(id)).toBe(terminal.get(id));
      expect(refused).toBe(path.at(-1) === "succeeded");
      expect(engine.events(id).filter(({ body }) => body.type === "ended")).toHaveLength(1);
      expect(engine.events(id).at(-1)?.body.type).toBe("ended");
    }
    expect([...ends].sort()).toEqual(["cancelled", "succeeded"]);
    expect(engine.bugs).toEqual([]);
  });
});

/** True when the cancel was refused because the task had ended. */
function cancelled(engine: TestEngine, id: string): boolean {
  try {
    engine.service.cancel(alice, {}, id);
    return false;
  } catch (error) {
    expect(String(error)).toContain("task_not_cancelable");
    return true;
  }
}

describe("the queue", () => {
  it("loads a model once for the tasks that want it together", async () => {
    const backend = scripted({ text: "x", hold: ["load"], parallel: 4 });
    const engine = new TestEngine(backend);
    const tasks = await Promise.all(Array.from({ length: 4 }, () => engine.create()));
    await engine.until(() => tasks.some(({ id }) => engine.status(id) === "loading"));
    backend.finishLoad();
    for (const { id } of tasks) await engine.becomes(id, "succeeded");
    expect((await backend.stats()).loads).toBe(1);
  });

  it("gives clients fair turns", async () => {
    const engine = new TestEngine(scripted({ text: "x" }));
    const order: string[] = [];
    engine.ledger.subscribe((fact) => {
      if (fact.kind === "moved" && fact.change.to === "loading") order.push(fact.task.client);
    });
    const creates = [alice, alice, alice, bob].map((caller) => engine.create({ caller }));
    const tasks = await Promise.all(creates);
    for (const { id } of tasks) await engine.becomes(id, "succeeded");
    expect(order).toEqual(["alice", "bob", "alice", "alice"]);
  });

  it("runs two models in turn when only one stays resident", async () => {
    const engine = new TestEngine(scripted({ text: "x" }, { n: { text: "y" } }), {
      settings: { "models.resident": 1 },
    });
    const tasks = [];
    for (const model of ["m", "n", "m", "n"]) tasks.push(await engine.create({ model }));
    for (const { id } of tasks) await engine.becomes(id, "succeeded");
    expect((await engine.backend.stats()).loaded).toHaveLength(1);
  });
});

describe("a lost inference process", () => {
  it("fails a task whose policy is fail, in words, and the next task runs", async () => {
    const engine = new TestEngine(scripted({ text: "a b c", crashes: 2 }, { n: { text: "fine" } }));
    const { id } = await engine.create();
    await engine.becomes(id, "failed");
    expect(engine.store.task(id)?.outcome).toMatchObject({ problem: { code: "backend_crashed" } });
    expect(engine.store.task(id)?.attempt).toBe(1);
  });

  it("runs a retry task again in place, and gives up after three crashes", async () => {
    const engine = new TestEngine(scripted({ text: "a b c", crashes: 2 }));
    const { id } = await engine.create({ onRestart: "retry" });
    await engine.becomes(id, "failed");
    expect(engine.path(id)).toEqual(["queued", "loading", "running", "running", "running", "failed"]);
    expect(engine.store.task(id)).toMatchObject({ attempt: 3, outcome: { problem: { code: "backend_crashed" } } });
    const events = engine.events(id);
    expect(events[0]?.body.type).toBe("created");
    expect(events[1]?.body).toEqual({ type: "started", attempt: 3 });
    expect(events.slice(1).map(({ seq }) => seq - (events[1]?.seq ?? 0))).toEqual(events.slice(1).map((_, i) => i));
  });
});

describe("a full disk", () => {
  it("fails the task that it stops, as soon as that can be stored, and the next one runs", async () => {
    const store = new MemoryStore();
    const backend = scripted({ text: "a b c", hold: ["tokens"] });
    const engine = new TestEngine(backend, { store });
    const { id } = await engine.create();
    await engine.becomes(id, "running");
    const transaction = store.transaction.bind(store);
    let refused = 0;
    store.transaction = () => {
      refused += 1;
      throw new ProblemError("storage_failed", "The disk is full.");
    };
    backend.release(1);
    await engine.until(() => refused === 2);
    expect([engine.status(id), (await backend.stats()).generating]).toEqual(["running", 0]);
    engine.clock.advance(1_000);
    await engine.until(() => refused === 3);
    store.transaction = transaction;
    engine.clock.advance(1_000);
    await engine.becomes(id, "failed");
    expect(engine.store.task(id)?.outcome).toMatchObject({ problem: { code: "storage_failed" } });
    expect(engine.events(id).map(({ body }) => body.type)).toEqual(["created", "started", "ended"]);
    backend.release(10);
    await engine.becomes((await engine.create()).id, "succeeded");
    expect(engine.bugs).toEqual([]);
  });
});

describe("a restart of the host", () => {
  async function restarted(policy: "fail" | "retry", reach: TaskStatus) {
    const backend = scripted({ ...long, hold: reach === "loading" ? ["load"] : ["tokens"] });
    const before = new TestEngine(backend);
    if (reach === "queued") await before.becomes((await before.create()).id, "running");
    const { id } = await before.create({ onRestart: policy });
    if (reach === "running") backend.release(2);
    await before.becomes(id, reach === "cancelling" ? "running" : reach);
    if (reach === "running") await before.until(() => before.events(id).some(({ body }) => body.type === "delta"));
    if (reach === "cancelling") before.ledger.move(id, "running", "cancelling", { reason: "asked" });
    const seqBefore = before.events(id).at(-1)?.seq ?? 0;
    const after = new TestEngine(scripted({ text: "done" }), { store: before.store, clock: before.clock });
    return { after, id, seqBefore };
  }

  it.each(["queued", "loading", "running"] as const)("fails a %s task whose policy is fail", async (status) => {
    const { after, id } = await restarted("fail", status);
    expect(after.store.task(id)).toMatchObject({
      status: "failed",
      outcome: { problem: { code: "server_restarted" } },
    });
    expect(after.events(id).at(-1)?.body.type).toBe("ended");
  });

  it.each(["queued", "loading", "running"] as const)("runs a %s task again whose policy is retry", async (status) => {
    const { after, id, seqBefore } = await restarted("retry", status);
    await after.becomes(id, "succeeded");
    expect(after.store.task(id)?.attempt).toBe(status === "queued" ? 1 : 2);
    const [created, ...others] = after.events(id).map(({ seq }) => seq);
    expect([created, others[0]]).toEqual([0, seqBefore + 1]);
    expect(outputOf(after.store.task(id))).toBe("done");
    after.path(id);
  });

  it.each(["fail", "retry"] as const)("completes a cancel whatever the policy (%s)", async (policy) => {
    const { after, id } = await restarted(policy, "cancelling");
    expect(after.store.task(id)).toMatchObject({ status: "cancelled", outcome: { kind: "cancelled" } });
    expect(after.events(id).at(-1)?.body.type).toBe("ended");
  });

  it("is what a clean stop looks like too: what runs is left as it is", async () => {
    const backend = scripted(long);
    const engine = new TestEngine(backend);
    const { id } = await engine.create();
    await engine.becomes(id, "running");
    await engine.scheduler.close();
    expect(engine.status(id)).toBe("running");
    expect((await backend.stats()).generating).toBe(0);
  });
});

describe("retention", () => {
  it("keeps the events of a living task, and lets those of an ended one go after the period", async () => {
    const backend = scripted(long, { n: { text: "x" } });
    const engine = new TestEngine(backend, { settings: { "retention.events": 1_000 } });
    const living = await engine.create();
    const ended = await engine.create({ model: "n" });
    await engine.becomes(ended.id, "succeeded");
    engine.retention.start();
    const follow = (id: string) => engine.service.follow(alice, {}, id, -1, new AbortController().signal);
    expect(follow(ended.id).kind).toBe("events");
    engine.clock.advance(1_000);
    expect(() => follow(ended.id)).toThrow("event_history_expired");
    expect(follow(living.id).kind).toBe("events");
    engine.clock.advance(1_000);
    expect(engine.events(ended.id)).toEqual([]);
    expect(engine.service.follow(alice, {}, ended.id, ended.lastSeq + 99, new AbortController().signal).kind).toBe(
      "ended",
    );
    engine.retention.close();
  });

  it("forgets a task whose ttl is over, a minute after its end", async () => {
    const engine = new TestEngine(scripted({ text: "x" }));
    const { id } = await engine.create({ ttl: 5_000 });
    const kept = await engine.create();
    await engine.becomes(kept.id, "succeeded");
    engine.retention.start();
    engine.clock.advance(60_000);
    expect(engine.service.get(alice, {}, id).status).toBe("succeeded");
    engine.clock.advance(120_000);
    expect(() => engine.service.get(alice, {}, id)).toThrow("task_not_found");
    expect(engine.service.get(alice, {}, kept.id).status).toBe("succeeded");
    engine.retention.close();
  });
});
