import { expect, test } from "vitest";
import { listCommandOf } from "./list-keys";

const press = (key: string, more = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...more });
const inList = { typing: false, inList: true };
const elsewhere = { typing: false, inList: false };

test("letters work anywhere but in a field", () => {
  const keys = ["j", "k", "c", "/", "Escape", "x"];
  const commands = ["next", "previous", "cancel", "search", "back", null];
  expect(keys.map((key) => listCommandOf(press(key), elsewhere))).toEqual(commands);
  expect(keys.map((key) => listCommandOf(press(key), { typing: true, inList: false }))).toEqual(keys.map(() => null));
});

test("arrows and Enter belong to the list only while it has the focus", () => {
  const keys = ["ArrowDown", "ArrowUp", "Home", "End", "Enter"];
  const commands = ["next", "previous", "first", "last", "open"];
  expect(keys.map((key) => listCommandOf(press(key), inList))).toEqual(commands);
  expect(keys.map((key) => listCommandOf(press(key), elsewhere))).toEqual(keys.map(() => null));
});

test("a key with a modifier is another key", () => {
  const held = [{ ctrlKey: true }, { metaKey: true }, { altKey: true }];
  expect(held.map((more) => listCommandOf(press("c", more), inList))).toEqual([null, null, null]);
});
