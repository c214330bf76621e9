import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventBody } from "../../shared/event";
import type { ScriptedModel } from "../backend/scripted/script";
import type { ScriptedBackend } from "../backend/scripted/scripted-backend";
import { MemoryStore } from "../store/memory-store";
import { BackendReplacedError } from "./backend";
import { outputOf, scripted, TestEngine } from "./test-engine";

const held = { hold: ["tokens" as const] };

/** What the stream says, without the numbers and times of its deltas: those depend on when it was written. */
function gist(bodies: readonly EventBody[]): readonly unknown[] {
  const said: unknown[] = [];
  for (const body of bodies) {
    const item = "item" in body ? body.item.type : undefined;
    if (body.type === "delta") continue;
    said.push([body.type, item, "text" in body ? body.text : undefined, "whole" in body ? body.whole : undefined]);
  }
  return said;
}

function tokensOf(bodies: readonly EventBody[]): readonly number[] {
  return bodies.flatMap((body) => ("tokens" in body ? body.tokens : []));
}

function deltasOf(bodies: readonly EventBody[]): string {
  return bodies.map((body) => (body.type === "delta" ? body.text : "")).join("");
}

function progressOf(engine: TestEngine, id: string) {
  const task = engine.store.task(id);
  return task === undefined ? {} : engine.service.progress(task);
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
}

describe("a task with on_restart resume", () => {
  const models: Record<string, ScriptedModel> = {
    plain: { text: "one two three four five six seven eight nine ten" },
    cut: { text: "Zwölf Boxkämpfer 🚴‍♀️ jagen 漢字 über den Deich", cut: "bytes" },
    thinking: {
      text: "<think>Hm, well then.</think>  The answer is yes.",
      cut: "characters",
      thinking: { open: "<think>", close: "</think>", startsOpen: false },
    },
    endless: { text: "on and on ", endless: true, contextLength: 40 },
  };

  it.each(Object.entries(models))(
    "has the stream of an uninterrupted run, wherever and however often it is interrupted (%s)",
    async (_, model) => {
      const options = { stop: ["nine"] };
      const undisturbed = new TestEngine(scripted(model));
      const { id: wholeId } = await undisturbed.create({ onRestart: "resume", options });
      await undisturbed.becomes(wholeId, "succeeded");
      const whole = undisturbed.events(wholeId).map(({ body }) => body);

      const interruption = fc.record({ tokens: fc.nat(12), flush: fc.boolean(), turns: fc.nat(40) });
      await fc.assert(
        fc.asyncProperty(fc.array(interruption, { minLength: 1, maxLength: 5 }), async (interruptions) => {
          const store = new MemoryStore();
          const start = (): [TestEngine, ScriptedBackend] => {
            const backend = scripted({ ...model, ...held });
            return [new TestEngine(backend, { store }), backend];
          };
          let [engine, backend] = start();
          const { id } = await engine.create({ onRestart: "resume", options });
          for (const { tokens, flush, turns: count } of interruptions) {
            backend.release(tokens);
            await turns(count);
            if (flush) engine.clock.advance(30);
            const seen = engine.events(id);
            // The old host is gone with all that it had not committed; nothing of it may write any more.
            await engine.close();
            expect(engine.events(id)).toEqual(seen);
            [engine, backend] = start();
            expect(engine.events(id).slice(0, seen.length)).toEqual(seen);
          }
          backend.release(1_000);
          await engine.becomes(id, "succeeded");
          const events = engine.events(id);
          expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index));
          const bodies = events.map(({ body }) => body);
          expect(gist(bodies)).toEqual(gist(whole));
          expect(tokensOf(bodies)).toEqual(tokensOf(whole));
          expect(deltasOf(bodies)).toBe(deltasOf(whole));
          expect(engine.bugs).toEqual([]);
          engine.path(id);
          await engine.close();
        }),
        { numRuns: 60 },
      );
    },
  );

  it("shows its attempts, and says only once that it is in progress", async () => {
    const store = new MemoryStore();
    const backend = scripted({ ...models.plain, ...held });
    const engine = new TestEngine(backend, { store });
    const { id } = await engine.create({ onRestart: "resume" });
    backend.release(3);
    await engine.until(() => engine.events(id).length > 4);
    await engine.close();
    const next = new TestEngine(scripted(models.plain ?? {}), { store });
    await next.becomes(id, "succeeded");
    expect(next.path(id)).toEqual(["queued", "loading", "running", "queued", "loading", "running", "succeeded"]);
    expect(next.store.changes(id).map(({ attempt }) => attempt)).toEqual([1, 1, 1, 2, 2, 2, 2]);
    expect(next.events(id).filter(({ body }) => body.type === "started")).toHaveLength(1);
  });

  it("counts the tokens that it had written before the restart", async () => {
    const store = new MemoryStore();
    const backend = scripted({ ...models.plain, ...held });
    const engine = new TestEngine(backend, { store });
    const { id } = await engine.create({ onRestart: "resume" });
    backend.release(3);
    await engine.until(() => engine.store.events(id, -1, 100).length > 4);
    engine.clock.advance(30);
    await engine.close();
    const stored = tokensOf(engine.events(id).map(({ body }) => body)).length;
    const next = new TestEngine(scripted({ ...models.plain, ...held }), { store });
    await next.becomes(id, "running");
    await next.until(() => progressOf(next, id).tokens === stored);
    await next.close();
  });

  it("goes on in place when its inference process crashes, and fails with the third crash", async () => {
    const engine = new TestEngine(scripted({ ...models.plain, crashes: 4 }));
    const { id } = await engine.create({ onRestart: "resume" });
    await engine.becomes(id, "failed");
    expect(engine.store.task(id)).toMatchObject({ attempt: 3, outcome: { problem: { code: "backend_crashed" } } });
    expect("one two three four").toMatch(new RegExp(`^${deltasOf(engine.events(id).map(({ body }) => body))}`));
    const seqs = engine.events(id).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index));
  });

  it("writes nothing more when its output was whole and only its end was not stored", async () => {
    const store = new MemoryStore();
    const backend = scripted(models.plain ?? {});
    const engine = new TestEngine(backend, { store });
    const { id } = await engine.create({ onRestart: "resume" });
    await engine.becomes(id, "succeeded");
    const { outcome } = engine.store.task(id) ?? {};
    const events = engine.events(id);
    await engine.close();
    const before = unended(store, id);
    const silent = scripted({ text: "something else altogether" });
    const next = new TestEngine(silent, { store: before });
    await next.becomes(id, "succeeded");
    expect(next.store.task(id)?.outcome).toEqual(outcome);
    expect(next.events(id).map(({ seq, body }) => ({ seq, body }))).toEqual(
      events.map(({ seq, body }) => ({ seq, body })),
    );
    expect((await silent.stats()).generatedTokens).toBe(0);
  });

  it("fails in words rather than contradict itself when the model is another one now", async () => {
    const store = new MemoryStore();
    const backend = scripted({ ...models.plain, ...held });
    const engine = new TestEngine(backend, { store });
    const { id } = await engine.create({ onRestart: "resume" });
    backend.release(3);
    await engine.until(() => engine.events(id).length > 4);
    await engine.close();
    const next = new TestEngine(scripted({ text: "un deux trois quatre" }), { store });
    await next.becomes(id, "failed");
    expect(next.store.task(id)?.outcome).toMatchObject({ problem: { code: "not_resumable" } });
    expect(next.events(id).at(-1)?.body.type).toBe("ended");
  });

  it("keeps its state in a file of its own, which goes when the task has ended", async () => {
    const files = new Set<string>();
    const snapshots = {
      fileOf: (id: string) => {
        files.add(id);
        return id;
      },
      drop: (id: string) => files.delete(id),
      keepOnly: () => undefined,
    };
    const backend = scripted({ ...models.plain, ...held });
    const engine = new TestEngine(backend, { snapshots });
    const { id } = await engine.create({ onRestart: "resume" });
    backend.release(3);
    await engine.until(() => engine.events(id).length > 4);
    expect([...files]).toEqual([id]);
    backend.release(100);
    await engine.becomes(id, "succeeded");
    expect(files.size).toBe(0);
  });
});

describe("a task whose neighbour did not stop", () => {
  it("goes on where it was when the process is replaced, whatever its policy", async () => {
    const backend = scripted({ text: "one two three four five", ...held });
    const replaced = new Set<string>();
    const generate = backend.generate.bind(backend);
    backend.generate = async function* (request, signal) {
      for await (const step of generate(request, signal)) {
        yield step;
        if (step.type === "piece" && step.text === " three" && !replaced.has(request.model)) {
          replaced.add(request.model);
          throw new BackendReplacedError();
        }
      }
    };
    const engine = new TestEngine(backend);
    const { id } = await engine.create({ onRestart: "fail" });
    backend.release(100);
    await engine.becomes(id, "succeeded");
    expect(outputOf(engine.store.task(id))).toBe("one two three four five");
    const events = engine.events(id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    expect(engine.store.task(id)?.attempt).toBe(2);
  });
});

/** The same store as a crash leaves it between the last event of an output and the end of its task. */
function unended(store: MemoryStore, id: string): MemoryStore {
  const copy = new MemoryStore();
  const task = store.task(id);
  if (task === undefined) throw new Error("There is no such task");
  const events = store.events(id, -1, 1_000).filter(({ body }) => body.type !== "ended");
  copy.transaction("written", () => {
    const { row: _, ...rest } = { ...task, status: "running" as const, outcome: null, lastSeq: events.length - 1 };
    copy.insert(rest, store.input(id) ?? null, null);
    copy.addEvents(events);
  });
  return copy;
}
