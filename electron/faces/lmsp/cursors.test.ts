import { expect, it } from "vitest";
import { eventCursor, listCursor, rowOfListCursor } from "./cursors";

it("takes an event cursor from the header before the query, and the beginning without one", () => {
  expect(eventCursor(undefined, undefined)).toBe(-1);
  expect(eventCursor(undefined, "0")).toBe(0);
  expect(eventCursor("7", "3")).toBe(7);
});

it.each(["", "-1", "1.5", "x", "1e3", " 1", "0x1", "99999999999999999999", "9007199254740992", "1, 2"])(
  "refuses %j as an event cursor, and says where it was",
  (value) => {
    expect(() => eventCursor(value, "3")).toThrow("invalid_request: Last-Event-ID: ");
    expect(() => eventCursor(undefined, value)).toThrow("invalid_request: starting_after: ");
  },
);

it("finds its place again by a list cursor", () => {
  for (const row of [0, 1, 99, 2 ** 40]) expect(rowOfListCursor(listCursor(row))).toBe(row);
});

it.each(["", "x", "!!", "MQ==", "LTEuNQ", `${listCursor(7)} `, Buffer.from("07").toString("base64url")])(
  "refuses %j as a list cursor",
  (value) => {
    expect(() => rowOfListCursor(value)).toThrow("invalid_request: cursor: ");
  },
);
