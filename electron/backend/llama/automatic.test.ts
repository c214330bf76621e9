import { expect, test } from "vitest";
import { chooseContext, chooseParallel, chooseThreads } from "./automatic";

test("a tiny model gets one thread, others leave a core to the host", () => {
  expect(chooseThreads(4_000_000, 16)).toBe(1);
  expect(chooseThreads(4_000_000_000, 16)).toBe(15);
  expect(chooseThreads(4_000_000_000, 1)).toBe(1);
});

test("the context is what the model was trained for, up to 8192 tokens unless more is asked for", () => {
  expect(chooseContext(null, 4_096)).toBe(4_096);
  expect(chooseContext(null, 131_072)).toBe(8_192);
  expect(chooseContext(32_768, 131_072)).toBe(32_768);
  expect(chooseContext(32_768, 4_096)).toBe(4_096);
});

test("as many tasks run at once as fit into half of the free memory, from one to four", () => {
  expect(chooseParallel(null, 100, 10_000)).toBe(4);
  expect(chooseParallel(null, 100, 500)).toBe(2);
  expect(chooseParallel(null, 100, 10)).toBe(1);
  expect(chooseParallel(8, 100, 10)).toBe(8);
});
