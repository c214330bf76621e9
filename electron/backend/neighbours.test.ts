import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { TaskEvent } from "../../shared/event";
import type { TaskStatus } from "../../shared/lifecycle";
import { type Clock, systemClock } from "../engine/clock";
import { outputOf, TestEngine } from "../engine/test-engine";
import { forkInference } from "./fork-inference";
import { ProcessBackend } from "./process-host";
import type { ScriptedModel } from "./scripted/script";
import { ScriptedEntry } from "./test-scripted-process";

const entry = new ScriptedEntry();
const text = Array.from({ length: 120 }, (_, index) => `word${index}`).join(" ");
const models: Record<string, ScriptedModel> = {
  writer: { text, delay: 10, parallel: 3 },
  deaf: { text: "on and on ", endless: true, deaf: true, contextLength: 1_000_000 },
  faulty: { text: "one two three four", crashes: 3, crash: "SIGSEGV" },
};
/** The bounds of the contract, twenty times as fast. */
const hasty: Clock = {
  now: () => Date.now(),
  after: (milliseconds, work) => systemClock.after(milliseconds / 20, work),
};
let backend: ProcessBackend;
let engine: TestEngine;

beforeAll(() => entry.build(), 60_000);
afterAll(() => entry.remove());

beforeEach(() => {
  const fork = forkInference({ warn: () => undefined }, entry.url, [JSON.stringify(models)]);
  backend = new ProcessBackend(fork, { clock: hasty });
  engine = new TestEngine(backend);
});

afterEach(async () => {
  engine.service.close();
  await engine.scheduler.close();
  await backend.close();
});

async function becomes(id: string, status: TaskStatus): Promise<void> {
  await expect.poll(() => engine.status(id), { timeout: 15_000 }).toBe(status);
}

async function writes(id: string): Promise<void> {
  await expect.poll(() => engine.events(id).some(({ body }) => body.type === "delta"), { timeout: 15_000 }).toBe(true);
}

function deltas(events: readonly TaskEvent[]): string {
  return events.map(({ body }) => (body.type === "delta" ? body.text : "")).join("");
}

// A stop that is bounded costs the others nothing, whatever their policy: not a word, not a number.
it.each(["fail", "retry", "resume"] as const)(
  "a neighbour of a task that does not stop goes on in place (%s)",
  async (onRestart) => {
    const neighbour = await engine.create({ model: "writer", onRestart });
    const deaf = await engine.create({ model: "deaf" });
    await Promise.all([writes(neighbour.id), writes(deaf.id)]);
    const { pid } = await backend.stats();
    const before = engine.events(neighbour.id);
    engine.service.cancel({ client: "alice", says: null }, {}, deaf.id);
    await becomes(deaf.id, "cancelled");
    await becomes(neighbour.id, "succeeded");
    expect((await backend.stats()).pid).not.toBe(pid);
    const events = engine.events(neighbour.id);
    expect(events.slice(0, before.length)).toEqual(before);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    expect(deltas(events)).toBe(text);
    expect(outputOf(engine.store.task(neighbour.id))).toBe(text);
    expect(engine.store.task(neighbour.id)?.attempt).toBe(2);
    expect(engine.path(neighbour.id)).not.toContain("failed");
  },
);

// The contract: three crashes of one task fail it. B110.
it.each(["retry", "resume"] as const)(
  "a task that crashes the process three times fails, and others are served (%s)",
  async (onRestart) => {
    const { id } = await engine.create({ model: "faulty", onRestart });
    await becomes(id, "failed");
    expect(engine.store.task(id)).toMatchObject({
      attempt: 3,
      outcome: { problem: { code: "backend_crashed", detail: expect.stringContaining("SIGSEGV") } },
    });
    const other = await engine.create({ model: "writer" });
    await becomes(other.id, "succeeded");
  },
);
