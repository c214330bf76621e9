import { expect, test } from "vitest";
import { words } from "./words";

test("bounds are told as people say them", () => {
  expect(words.range({ least: 1, most: 10_000 })).toBe("1 to 10,000");
  expect(words.range({ least: 0.5, most: null })).toBe("at least 0.5");
  expect(words.length({ least: null, most: 200 })).toBe("Up to 200 characters");
  expect(words.length({ least: null, most: 1 })).toBe("Up to 1 character");
  expect(words.count({ least: 2, most: 2 })).toBe("choose 2");
  expect(words.range({ least: null, most: null })).toBeUndefined();
});

test("the bounds of every whole number say nothing", () => {
  expect(words.range({ least: Number.MIN_SAFE_INTEGER, most: 9 })).toBe("up to 9");
});
