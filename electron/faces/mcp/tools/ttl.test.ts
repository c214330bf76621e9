import { describe, expect, it } from "vitest";
import { grantedTtl } from "./ttl";

describe("the ttl of a task", () => {
  it.each([
    [undefined, null],
    [0, 1_000],
    [999.2, 1_000],
    [60_000.1, 60_001],
    [2_147_483_648, 2_147_483_647],
    [1e15, 2_147_483_647],
    [Number.POSITIVE_INFINITY, 2_147_483_647],
  ])("asked as %s is granted as %s", (asked, granted) => {
    expect(grantedTtl(asked)).toBe(granted);
  });

  it.each([null, "5", true, -1, Number.NaN, {}])("cannot be %j", (asked) => {
    expect(() => grantedTtl(asked)).toThrow(expect.objectContaining({ code: -32602 }));
  });
});
