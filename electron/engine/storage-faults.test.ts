import { describe, expect, it } from "vitest";
import { ProblemError } from "../../shared/problem";
import { MemoryStore } from "../store/memory-store";
import { alice, scripted, TestEngine } from "./test-engine";

/** A disk that is full when a test says so: reading goes on. */
class FillingStore extends MemoryStore {
  isFull = false;
  /** Writes that were refused. */
  refused = 0;

  override transaction<T>(durability: "synced" | "written", work: () => T): T {
    if (!this.isFull) return super.transaction(durability, work);
    this.refused += 1;
    throw new ProblemError("storage_failed", "The disk is full.");
  }
}

const held = { text: "one two three", hold: ["tokens" as const] };

// Case B79.
describe("while nothing can be stored", () => {
  it("creates and cancels are refused, reads go on, and nothing is half there", async () => {
    const store = new FillingStore();
    const engine = new TestEngine(scripted(held), { store });
    const { id } = await engine.create();
    await engine.becomes(id, "running");
    store.isFull = true;
    await expect(engine.create()).rejects.toThrow("The disk is full.");
    expect(() => engine.service.cancel(alice, {}, id)).toThrow("The disk is full.");
    expect(engine.service.list(alice, {}, { limit: 9 }).map((task) => [task.id, task.status])).toEqual([
      [id, "running"],
    ]);
    store.isFull = false;
    expect(engine.service.cancel(alice, {}, id).status).toBe("cancelling");
    await engine.becomes(id, "cancelled");
    expect(engine.bugs).toEqual([]);
  });

  it("a task whose turn comes waits for room, and then runs as if nothing had been", async () => {
    const store = new FillingStore();
    const engine = new TestEngine(scripted({ text: "Hi." }), { store });
    const fills = ["queued", "loading"];
    engine.ledger.subscribe((fact) => {
      if (fact.kind === "moved" && fact.task.status === fills[0]) store.isFull = true;
    });
    const { id } = await engine.create();
    for (const status of ["queued", "loading"]) {
      await engine.until(() => store.refused > 0);
      store.refused = 0;
      engine.clock.advance(10_000);
      expect(engine.status(id)).toBe(status);
      fills.shift();
      store.isFull = false;
      engine.clock.advance(1_000);
    }
    await engine.becomes(id, "succeeded");
    expect(engine.path(id)).toEqual(["queued", "loading", "running", "succeeded"]);
  });

  it("a run whose output cannot be kept ends, with what is committed, once its end can be", async () => {
    const store = new FillingStore();
    const backend = scripted(held);
    const engine = new TestEngine(backend, { store });
    const { id } = await engine.create();
    await engine.becomes(id, "running");
    store.isFull = true;
    backend.release(1);
    await engine.until(() => store.refused > 1);
    expect(engine.status(id)).toBe("running");
    store.isFull = false;
    engine.clock.advance(1_000);
    await engine.becomes(id, "failed");
    expect(engine.store.task(id)?.outcome).toMatchObject({ problem: { code: "storage_failed" } });
    expect(engine.events(id).map(({ seq }) => seq)).toEqual(engine.events(id).map((_, index) => index));
    expect(engine.events(id).at(-1)?.body.type).toBe("ended");
  });

  it("a task stays past its ttl, which is tried again once a second and no more often, and then ends", async () => {
    const store = new FillingStore();
    const engine = new TestEngine(scripted(held), { store });
    const { id } = await engine.create({ ttl: 5_000 });
    await engine.becomes(id, "running");
    store.isFull = true;
    engine.clock.advance(5_000);
    const before = store.refused;
    engine.clock.advance(10_000);
    expect(store.refused - before).toBe(10);
    expect(engine.status(id)).toBe("running");
    store.isFull = false;
    engine.clock.advance(1_000);
    await engine.becomes(id, "cancelled");
  });

  it("what should be deleted stays, and goes with the sweep that can", async () => {
    const store = new FillingStore();
    const engine = new TestEngine(scripted({ text: "Hi." }), { store });
    const { id } = await engine.create({ ttl: 1_000 });
    await engine.becomes(id, "succeeded");
    store.isFull = true;
    engine.clock.advance(300_000);
    expect(store.task(id)?.status).toBe("succeeded");
    store.isFull = false;
    engine.clock.advance(60_000);
    expect(store.task(id)).toBeUndefined();
  });

  it.each(["running", "cancelling"] as const)("the host stops all the same with a task in %s", async (status) => {
    const store = new FillingStore();
    const backend = scripted(held);
    const engine = new TestEngine(backend, { store });
    const { id } = await engine.create();
    await engine.becomes(id, "running");
    if (status === "cancelling") engine.service.cancel(alice, {}, id);
    store.isFull = true;
    await engine.until(() => store.refused > 0 || status === "running");
    await engine.close();
    expect([engine.status(id), engine.bugs]).toEqual([status, []]);
  });
});

it("a start that storage fails runs nothing, and the next one applies the restart rules once", async () => {
  const store = new FillingStore();
  const before = new TestEngine(scripted(held), { store });
  const retried = await before.create({ onRestart: "retry" });
  const failed = await before.create();
  await before.becomes(retried.id, "running");
  await before.close();

  const engine = new TestEngine(scripted({ text: "Hi." }), { store, started: false });
  store.isFull = true;
  for (let tries = 0; tries < 3; tries += 1) expect(() => engine.start()).toThrow("The disk is full.");
  store.isFull = false;
  engine.start();
  await engine.becomes(retried.id, "succeeded");
  expect(engine.store.task(retried.id)?.attempt).toBe(2);
  expect(engine.status(failed.id)).toBe("failed");
  expect(engine.service.waiting).toBe(0);
});
