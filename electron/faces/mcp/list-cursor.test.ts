import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ListCursors, pageSize } from "./list-cursor";

const cursors = new ListCursors(randomBytes(32));

/** Newest first, as a store answers. */
function below(rows: readonly number[]) {
  return ({ limit, beforeRow = Number.POSITIVE_INFINITY }: { limit: number; beforeRow?: number }) =>
    rows
      .filter((row) => row < beforeRow)
      .sort((a, b) => b - a)
      .slice(0, limit)
      .map((row) => ({ row }));
}

const rowsTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const first = (rows: readonly number[]) => cursors.page("tasks", "alice", undefined, below(rows)).nextCursor ?? "none";

describe("a list in pages", () => {
  it("shows everything once, in order, whatever its length", () => {
    fc.assert(
      fc.property(fc.nat(3 * pageSize), (count) => {
        const seen: number[] = [];
        let cursor: string | undefined;
        do {
          const page = cursors.page("tasks", "alice", cursor, below(rowsTo(count)));
          expect(page.items.length).toBeLessThanOrEqual(pageSize);
          seen.push(...page.items.map(({ row }) => row));
          cursor = page.nextCursor;
        } while (cursor !== undefined);
        expect(seen).toEqual(rowsTo(count).reverse());
      }),
    );
  });

  it("has no next page when the last one is exactly full", () => {
    expect(first(rowsTo(pageSize))).toBe("none");
    expect(first(rowsTo(pageSize + 1))).not.toBe("none");
  });

  it("goes on where it was, also when the row that it stood at is gone", () => {
    const cursor = first(rowsTo(2 * pageSize));
    const left = rowsTo(2 * pageSize).filter((row) => row !== pageSize + 1);
    expect(cursors.page("tasks", "alice", cursor, below(left)).items[0]).toEqual({ row: pageSize });
  });
});

describe("a cursor", () => {
  const good = first(rowsTo(2 * pageSize));
  const refused = expect.objectContaining({ code: -32602 });

  it.each([
    ["of nothing", ""],
    ["that is no text", 7],
    ["that is null", null],
    ["of another alphabet", `${good}=`],
    ["cut short", good.slice(0, -4)],
    ["with something after it", `${good}AAAA`],
    ["made up", Buffer.from("51").toString("base64url")],
    ["with another row", `AAAAAAAAAAE${good.slice(11)}`],
  ])("%s is refused", (_name, cursor) => {
    expect(() => cursors.page("tasks", "alice", cursor, below([1]))).toThrow(refused);
  });

  it("is good for its own list, its own client and its own key only", () => {
    expect(() => cursors.page("resources", "alice", good, below([1]))).toThrow(refused);
    expect(() => cursors.page("tasks", "bob", good, below([1]))).toThrow(refused);
    expect(() => new ListCursors(randomBytes(32)).page("tasks", "alice", good, below([1]))).toThrow(refused);
  });
});
