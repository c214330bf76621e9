import { expect, test } from "vitest";
import { FrameBatch } from "./frame-batch";

test("what comes within one frame is handed on together, in order", () => {
  const frames: (() => void)[] = [];
  const taken: (readonly number[])[] = [];
  const batch = new FrameBatch<number>(
    (items) => taken.push(items),
    (flush) => {
      frames.push(flush);
      return () => {};
    },
  );
  batch.add(1);
  batch.add(2);
  expect([frames.length, taken]).toEqual([1, []]);
  frames.shift()?.();
  batch.add(3);
  frames.shift()?.();
  expect(taken).toEqual([[1, 2], [3]]);
});
