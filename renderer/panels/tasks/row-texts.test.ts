import { expect, test } from "vitest";
import { row } from "../../state/test-messages";
import { fullAskerOf, liveOf, timeOf } from "./row-texts";

test("beside the status stands what can be measured, or why", () => {
  const problem = { code: "backend_crashed", detail: "It ended with signal 9." };
  const said = [
    liveOf(row("a", { tokensPerSecond: 31.42 }), undefined),
    liveOf(row("a", { reading: { read: 42, total: 100 } }), undefined),
    liveOf(row("a", { status: "queued" }), 2),
    liveOf(row("a", { status: "failed", problem }), undefined),
    liveOf(row("a", { status: "failed", problem: { code: "odd", detail: "It is odd." } }), undefined),
    liveOf(row("a", { status: "loading" }), undefined),
  ];
  const crashed = "The inference process ended unexpectedly";
  expect(said).toEqual(["31.4 tok/s", "42%", "2nd", crashed, "It is odd.", null]);
});

test("a running task's time goes on, an ended one's stands", () => {
  expect(timeOf(row("a", { createdAt: 1_000 }), 8_000)).toBe("0:07");
  expect(timeOf(row("a", { createdAt: 1_000, updatedAt: 62_000, status: "failed" }), 900_000)).toBe("1:01");
});

test("what a caller says of itself is told apart from who it is", () => {
  expect(fullAskerOf(row("a", { client: "local", origin: "lmsp", caller: "curl/8" }))).toBe(
    "local · LMSP · says of itself: curl/8",
  );
  expect(fullAskerOf(row("a"))).toBe("You");
});
