import { expect, test } from "vitest";
import type { DesktopBridge } from "../shared/desktop/contract";
import type { Feed } from "../shared/desktop/feed";
import { bridgeOver, CallProblem } from "./bridge";
import { feed, host, row } from "./state/test-messages";

/** A preload that gives one answer, whatever is asked. */
function answering(answer: unknown) {
  let listener: (message: unknown) => void = () => {};
  const desktop: DesktopBridge = {
    call: async () => answer as never,
    onFeed: (heard) => {
      listener = heard;
      return () => {};
    },
    onCommand: () => () => {},
  };
  return { bridge: bridgeOver(desktop), send: (message: unknown) => listener(message) };
}

test("an answer is handed on as its value", async () => {
  const value = { rev: 3, rows: [row("a")], host: host() };
  expect(await answering({ ok: true, value }).bridge.ask("snapshot", null)).toEqual(value);
});

test("a refused call throws its problem", async () => {
  const problem = { code: "queue_full", detail: "The queue is full." };
  const asked = answering({ ok: false, problem }).bridge.ask("create", { prompt: "x" });
  await expect(asked).rejects.toEqual(new CallProblem("queue_full", "The queue is full."));
});

test("an answer that does not keep to the contract is a problem, not a value", async () => {
  const value = { rev: 3, rows: [{ ...row("a"), status: "dancing" }], host: host() };
  await expect(answering({ ok: true, value }).bridge.ask("snapshot", null)).rejects.toThrow(CallProblem);
});

test("a message of the feed that does not keep to the contract is heard as null", () => {
  const { bridge, send } = answering(null);
  const heard: (Feed | null)[] = [];
  bridge.onFeed((message) => heard.push(message));
  send(feed(1, 2));
  send({ ...feed(2, 3), rows: "many" });
  expect(heard).toEqual([feed(1, 2), null]);
});
