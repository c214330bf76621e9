import { describe, expect, it } from "vitest";
import { alice, scripted, TestEngine } from "./test-engine";

const held = { text: "one two three", hold: ["tokens" as const] };

describe("a task with a ttl", () => {
  it("is cancelled at its end when it has not finished, and deleted for everyone 60 s later", async () => {
    const engine = new TestEngine(scripted(held));
    const { id } = await engine.create({ ttl: 5_000 });
    await engine.becomes(id, "running");
    engine.clock.advance(4_999);
    expect(engine.status(id)).toBe("running");
    engine.clock.advance(1);
    await engine.becomes(id, "cancelled");
    expect(engine.store.task(id)?.outcome).toEqual({ kind: "cancelled", reason: "ttl expired" });
    engine.clock.advance(59_999);
    expect(engine.service.get(alice, {}, id).status).toBe("cancelled");
    engine.clock.advance(1);
    expect(() => engine.service.get(alice, {}, id)).toThrow("task_not_found");
    expect(engine.service.list(alice, {}, { limit: 10 })).toEqual([]);
  });

  it("stays until 60 s after its ttl when it has finished before", async () => {
    const engine = new TestEngine(scripted({ text: "Hi." }));
    const { id } = await engine.create({ ttl: 100_000 });
    await engine.becomes(id, "succeeded");
    engine.clock.advance(159_000);
    expect(engine.service.get(alice, {}, id).status).toBe("succeeded");
    engine.clock.advance(1_001);
    expect(() => engine.service.get(alice, {}, id)).toThrow("task_not_found");
  });

  it("is kept for good without one", async () => {
    const engine = new TestEngine(scripted({ text: "Hi." }));
    const { id } = await engine.create({ ttl: null });
    await engine.becomes(id, "succeeded");
    engine.clock.advance(2_147_483_647 * 3);
    expect(engine.service.get(alice, {}, id).status).toBe("succeeded");
  });

  it("ends each at its own time, with one timer, also after a longer one was made first", async () => {
    const engine = new TestEngine(scripted(held));
    const long = await engine.create({ ttl: 2_147_483_647 });
    const short = await engine.create({ ttl: 1_000 });
    engine.clock.advance(1_000);
    await engine.becomes(short.id, "cancelled");
    expect(engine.status(long.id)).not.toBe("cancelled");
    engine.clock.advance(2_147_483_647);
    await engine.becomes(long.id, "cancelled");
  });
});

describe("who waits for the end of a task", () => {
  it("is told by one event, however many wait, and leaves nothing behind", async () => {
    const backend = scripted(held);
    const engine = new TestEngine(backend);
    const { id } = await engine.create();
    const waiting = Array.from({ length: 200 }, () =>
      engine.service.settled(alice, {}, id, new AbortController().signal),
    );
    backend.release(100);
    const ends = await Promise.all(waiting);
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(["succeeded"]));
  });

  it("hears of a cancel at once, before the backend has stopped", async () => {
    const engine = new TestEngine(scripted(held));
    const { id } = await engine.create();
    await engine.becomes(id, "running");
    const end = engine.service.settled(alice, {}, id, new AbortController().signal);
    engine.service.cancel(alice, {}, id);
    expect((await end).status).toBe("cancelling");
  });

  it("may leave, and is refused what is another client's", async () => {
    const engine = new TestEngine(scripted(held));
    const { id } = await engine.create();
    const leaving = new AbortController();
    const left = engine.service.settled(alice, {}, id, leaving.signal);
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    const bob = { client: "bob", says: null };
    await expect(engine.service.settled(bob, {}, id, new AbortController().signal)).rejects.toThrow("task_not_found");
  });
});
