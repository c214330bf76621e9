import { expect, it } from "vitest";
import type { Sample } from "./sample";
import { verdictOn } from "./verdict";

const flat: Sample = {
  at: 0,
  tasks: 0,
  hostMemory: 120,
  inferenceMemory: 200,
  handles: 60,
  threads: 30,
  files: 40,
  createP99: 8,
  readP99: 5,
};

function run(change: (index: number) => Partial<Sample>): Sample[] {
  return Array.from({ length: 40 }, (_, index) => ({ ...flat, at: index * 10, ...change(index) }));
}

const suspects = (samples: readonly Sample[]) =>
  verdictOn(samples)
    .filter(({ isFlat }) => !isFlat)
    .map(({ figure }) => figure);

it("is content with what stays, with a slow start and with a single spike", () => {
  expect(suspects(run(() => ({})))).toEqual([]);
  expect(suspects(run((index) => ({ hostMemory: index < 8 ? 60 + index * 8 : 120 })))).toEqual([]);
  expect(suspects(run((index) => (index === 35 ? { createP99: 4_000 } : {})))).toEqual([]);
});

it.each<[string, (index: number) => Partial<Sample>]>([
  ["hostMemory", (index) => ({ hostMemory: 100 + index * 2 })],
  ["inferenceMemory", (index) => ({ inferenceMemory: 100 + index * 3 })],
  ["handles", (index) => ({ handles: 60 + Math.floor(index / 3) })],
  ["threads", (index) => ({ threads: 30 + Math.floor(index / 5) })],
  ["files", (index) => ({ files: 40 + index })],
  ["createP99", (index) => ({ createP99: 8 + index * 5 })],
  ["readP99", (index) => ({ readP99: 5 + index * 5 })],
])("sees that %s grows", (figure, change) => {
  expect(suspects(run(change))).toEqual([figure]);
});

it("says nothing of a run without samples but that it is not flat", () => {
  expect(suspects([])).toHaveLength(7);
});
