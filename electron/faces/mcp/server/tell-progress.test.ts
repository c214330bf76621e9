import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Job } from "../../../engine/job";
import { alice, scripted, TestEngine } from "../../../engine/test-engine";
import type { FaceParts } from "../face-parts";
import { ListCursors } from "../list-cursor";
import type { ProgressNote } from "../projection/call-progress";
import { TaskResources } from "../resources/task-resources";
import { tellProgress } from "./tell-progress";

const usage = { inputTokens: 0, outputTokens: 0 };
const counting: Job = {
  name: "count",
  run: async (context) => {
    await setImmediate();
    for (const done of [1, 2, 3]) context.progress(done, 3, `${done} of 3`);
    return { items: [], finish: "completed", usage };
  },
};

function partsOf(engine: TestEngine): FaceParts {
  const key = randomBytes(32);
  const cursors = new ListCursors(key);
  const resources = new TaskResources(engine.service, cursors);
  const { service, clock } = engine;
  const onBug = (error: unknown) => engine.bugs.push(error);
  return { service, clock, cursors, resources, key, onBug, version: "0", registration: { tools: [] } };
}

/** A task and what is told of it. */
async function told(engine: TestEngine, draft: Parameters<TestEngine["create"]>[0] = {}) {
  const task = await engine.create(draft);
  const notes: ProgressNote[] = [];
  const stop = tellProgress(partsOf(engine), alice, task, [], (note) => notes.push(note));
  return { task, notes, stop };
}

it("tells the last that a job counts, however fast it comes and ends", async () => {
  const engine = new TestEngine(scripted({}), { jobs: [counting] });
  const { task, notes, stop } = await told(engine, { job: "count", unnamedModel: "none" });
  await engine.becomes(task.id, "succeeded");
  stop();
  expect(notes.map(({ progress, total }) => [progress, total])).toEqual([
    [0, undefined],
    [3, 3],
  ]);
});

it("tells early news when half a second has passed", async () => {
  const engine = new TestEngine(scripted({ hold: ["tokens"], text: "one two three four" }));
  const { task, notes, stop } = await told(engine);
  await engine.becomes(task.id, "running");
  expect(notes.map(({ message }) => message)).toEqual(["loading the model"]);
  engine.clock.advance(499);
  expect(notes).toHaveLength(1);
  engine.clock.advance(1);
  expect(notes.map(({ message }) => message)).toEqual(["loading the model", "working"]);
  stop();
});

it("tells something every five seconds while nothing happens, until it is stopped", async () => {
  const engine = new TestEngine(scripted({ hold: ["tokens"], text: "one two three four" }));
  const { task, notes, stop } = await told(engine);
  await engine.becomes(task.id, "running");
  engine.clock.advance(500);
  engine.clock.advance(10_000);
  expect(notes).toHaveLength(4);
  stop();
  engine.clock.advance(60_000);
  expect(notes).toHaveLength(4);
});
