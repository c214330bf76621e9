import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Feed, Snapshot } from "../../shared/desktop/feed";
import type { TaskDetail } from "../../shared/desktop/rows";
import { type Bridge, CallProblem } from "../bridge";
import { Session } from "./session";
import { createWindowStore, type WindowStore } from "./store";
import { detail, feed, host, row, text } from "./test-messages";

/** A main process whose answers come when the test says so. */
class FakeBridge implements Bridge {
  readonly asked: { name: string; input: unknown; answer: (value: unknown) => void; refuse: (why: Error) => void }[] =
    [];
  send: (message: Feed | null) => void = () => {};
  command: (command: string) => void = () => {};
  readonly ask: Bridge["ask"] = (name, input) =>
    new Promise((answer, refuse) => {
      this.asked.push({ name, input, answer: answer as (value: unknown) => void, refuse });
    });
  listening = false;
  onFeed(listener: (feed: Feed | null) => void) {
    this.send = listener;
    this.listening = true;
    return () => {
      this.listening = false;
    };
  }
  onCommand(listener: (command: string) => void) {
    this.command = listener;
    return () => {};
  }
  /** The oldest open call of this name. */
  next(name: string) {
    const index = this.asked.findIndex((call) => call.name === name);
    const [call] = index < 0 ? [] : this.asked.splice(index, 1);
    if (call === undefined) throw new Error(`nobody asked for ${name}`);
    return call;
  }
  count(name: string): number {
    return this.asked.filter((call) => call.name === name).length;
  }
}

let bridge: FakeBridge;
let store: WindowStore;
let session: Session;
let stop: () => void;

beforeEach(() => {
  bridge = new FakeBridge();
  store = createWindowStore();
  const frames: (() => void)[] = [];
  const schedule = (flush: () => void) => {
    frames.push(flush);
    return () => void frames.splice(0);
  };
  session = new Session({
    bridge,
    store,
    wordOf: (status) => status,
    askedIn: (row, message) => `${row.client}: ${message}`,
    schedule,
  });
  stop = session.start();
  const { send } = bridge;
  bridge.send = (message) => {
    send(message);
    frames.shift()?.(); // a frame after each message
  };
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

const settle = () => new Promise((done) => setImmediate(done));
const answer = async (name: string, value: unknown) => {
  bridge.next(name).answer(value);
  await settle();
};
const snapshot = (rev: number, ids: string[]): Snapshot => ({ rev, rows: ids.map((id) => row(id)), host: host() });
const shown = () =>
  store
    .getState()
    .detail?.output.map((item) => item.text)
    .join("|");
const ids = () => [...(store.getState().list?.rows.keys() ?? [])];

test("what the feed says while the snapshot is read is applied on top of it", async () => {
  bridge.send(feed(3, 5, { rows: [row("old")] }));
  bridge.send(feed(5, 6, { rows: [row("b")] }));
  await answer("snapshot", snapshot(5, ["a"]));
  expect(ids()).toEqual(["a", "b"]);
  expect(store.getState().list?.rev).toBe(6);
});

test("a gap asks for a new snapshot, once, and for the watched task again", async () => {
  await answer("snapshot", snapshot(5, ["a"]));
  session.select("a");
  await answer("watch", detail("a", "One", { rev: 5 }));
  bridge.send(feed(7, 8, { rows: [row("c")] }));
  bridge.send(feed(8, 9));
  expect(bridge.count("snapshot")).toBe(1);
  await answer("snapshot", snapshot(9, ["a", "c"]));
  await answer("watch", detail("a", "One two", { rev: 9 }));
  expect([ids(), shown()]).toEqual([["a", "c"], "One two"]);
});

test("a message that is not understood is a gap", async () => {
  await answer("snapshot", snapshot(5, ["a"]));
  bridge.send(null);
  expect(bridge.count("snapshot")).toBe(1);
});

test("a snapshot that fails is said, and asked for again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  bridge.next("snapshot").refuse(new CallProblem("storage_failed", "The disk is full."));
  await settle();
  expect(store.getState().notices).toMatchObject([{ text: "The disk is full.", code: "storage_failed" }]);
  vi.advanceTimersByTime(1_000);
  expect(bridge.count("snapshot")).toBe(1);
});

test("texts of two tasks never mix, however often one switches between them while they stream", async () => {
  await answer("snapshot", snapshot(1, ["a", "b"]));
  const stored: Record<string, string> = { a: "aaaa", b: "" };
  let rev = 1;
  for (let turn = 0; turn < 20; turn += 1) {
    const id = turn % 2 ? "a" : "b";
    session.select(id);
    for (let step = 0; step < 3; step += 1) {
      // A message still under way says something of the task that was watched before.
      const other = id === "a" ? "b" : "a";
      const from = stored[other]?.length ?? 0;
      stored[other] += other;
      bridge.send(feed(rev, rev + 1, { output: [text(other, from, other)] }));
      rev += 1;
    }
    if (turn % 3 === 0) continue; // the answer is late: it comes when another task is wanted
    while (bridge.count("watch") > 0) {
      const call = bridge.next("watch");
      const asked = (call.input as { id: string }).id;
      call.answer(detail(asked, stored[asked], { rev }));
      await settle();
    }
    const selected = store.getState().detail;
    expect([selected?.row.id, shown()]).toEqual([id, stored[id]]);
    const from = stored[id]?.length ?? 0;
    stored[id] += id;
    bridge.send(feed(rev, rev + 1, { output: [text(id, from, id)] }));
    rev += 1;
    expect(shown()).toBe(stored[id]);
  }
});

test("a late answer for a task that is no longer selected is dropped", async () => {
  await answer("snapshot", snapshot(1, ["a", "b"]));
  session.select("a");
  session.select("b");
  await answer("watch", detail("a", "text of a"));
  expect(store.getState().detail).toBeNull();
  await answer("watch", detail("b", "text of b"));
  expect(shown()).toBe("text of b");
});

test("text that comes while the task is read is added to the answer once", async () => {
  await answer("snapshot", snapshot(1, ["a"]));
  session.select("a");
  bridge.send(feed(1, 2, { output: [text("a", 0, "One ")] }));
  bridge.send(feed(2, 3, { output: [text("a", 4, "two")] }));
  await answer("watch", detail("a", "One ", { rev: 2 }));
  expect(shown()).toBe("One two");
});

test("when the watched task ends, its result is read, and what is shown stays until it is there", async () => {
  await answer("snapshot", snapshot(1, ["a"]));
  session.select("a");
  await answer("watch", detail("a", "One"));
  bridge.send(feed(1, 2, { rows: [row("a", { status: "succeeded", rev: 2 })] }));
  expect(shown()).toBe("One");
  const usage = { inputTokens: 2, outputTokens: 3 };
  await answer("watch", detail("a", "One.", { rev: 2, usage, row: row("a", { status: "succeeded", rev: 2 }) }));
  expect([shown(), store.getState().detail?.usage]).toEqual(["One.", usage]);
  expect(bridge.count("watch")).toBe(0);
});

test("a task that cannot be read is said once, not asked for again and again", async () => {
  await answer("snapshot", snapshot(1, ["a"]));
  session.select("a");
  bridge.next("watch").refuse(new CallProblem("task_not_found", "It is gone."));
  await settle();
  expect([store.getState().notices.length, bridge.count("watch")]).toEqual([1, 0]);
});

test("a detail that cannot be read anew stays as it is, and is not asked for in a circle", async () => {
  await answer("snapshot", snapshot(1, ["a"]));
  session.select("a");
  await answer("watch", detail("a", "One"));
  bridge.send(feed(1, 2, { output: [text("a", 9, "later")] }));
  bridge.next("watch").refuse(new CallProblem("internal", "It went wrong."));
  await settle();
  expect([shown(), bridge.count("watch")]).toEqual(["One", 0]);
});

test("a task that is removed is no longer selected", async () => {
  await answer("snapshot", snapshot(1, ["a"]));
  session.select("a");
  await answer("watch", detail("a"));
  bridge.send(feed(1, 2, { removed: ["a"] }));
  expect([store.getState().selected, store.getState().detail]).toEqual([null, null]);
});

test("a draft is kept when the form closes, and when the task is refused; it is emptied when the task exists", async () => {
  bridge.command("new-task");
  expect(store.getState().composing).toBe(true);
  session.write({ prompt: "Write a poem", model: "demo" });
  session.compose(false);
  expect(session.runDraft()).toBe(true);
  expect(bridge.asked.at(-1)).toMatchObject({ name: "create", input: { prompt: "Write a poem", model: "demo" } });
  bridge.next("create").refuse(new CallProblem("queue_full", "The queue is full."));
  await settle();
  expect(store.getState().draft.prompt).toBe("Write a poem");
  session.runDraft();
  await answer("create", { id: "new" });
  expect(store.getState()).toMatchObject({ draft: { prompt: "", model: "demo" }, composing: false, selected: "new" });
});

test("a draft is run once, however often one asks while it is sent", () => {
  session.write({ prompt: "Once" });
  session.runDraft();
  session.runDraft();
  expect(bridge.count("create")).toBe(1);
});

test("a model that is tried again is read anew, and one that cannot be is told", async () => {
  const model = { id: "demo", sizeBytes: 1, embedded: false, contextLength: null, default: true, loaded: false };
  await answer("models", [{ ...model, putAside: "It crashed." }]);
  const forgiven = session.forgiveModel("demo");
  expect(bridge.asked.at(-1)).toMatchObject({ name: "forgiveModel", input: { model: "demo" } });
  await answer("forgiveModel", null);
  await answer("models", [{ ...model, putAside: null }]);
  expect(await forgiven).toBe(true);
  expect(store.getState().models).toMatchObject([{ id: "demo", putAside: null }]);
  const refused = session.forgiveModel("demo");
  bridge.next("forgiveModel").refuse(new CallProblem("internal", "No."));
  await settle();
  await answer("models", []);
  expect(await refused).toBe(false);
  expect(store.getState().notices).toMatchObject([{ text: "No." }]);
});

test("a theme that cannot be kept is put back", async () => {
  void session.setTheme("dark");
  expect(store.getState().theme).toBe("dark");
  bridge.next("setPreferences").refuse(new CallProblem("storage_failed", "The disk is full."));
  await settle();
  expect(store.getState().theme).toBe("system");
});

test("after its end the session listens no more", async () => {
  await answer("snapshot", snapshot(1, ["a"]));
  expect(bridge.listening).toBe(true);
  stop();
  expect(bridge.listening).toBe(false);
});

const typed: TaskDetail = detail("a");
test("the messages of the tests keep to the contract", async () => {
  const { taskDetailSchema } = await import("../../shared/desktop/rows");
  const { feedSchema } = await import("../../shared/desktop/feed");
  expect(taskDetailSchema.safeParse(typed).success).toBe(true);
  expect(feedSchema.safeParse(feed(1, 2, { rows: [row("a")], output: [text("a", 0, "x")] })).success).toBe(true);
});

const asks = (id: string, message = "Which?") => row("a", { status: "input_required", question: { id, message } });

test("a question is told at once, each one once, and its status needs no other words", async () => {
  await answer("snapshot", snapshot(1, ["a"]));
  bridge.send(feed(1, 2, { rows: [{ ...asks("q1"), rev: 2 }] }));
  expect([store.getState().asked, store.getState().announced]).toEqual(["desktop: Which?", ""]);
  store.setState({ asked: "" });
  bridge.send(feed(2, 3, { rows: [{ ...asks("q1"), rev: 3, tokens: 4 }] }));
  expect(store.getState().asked).toBe("");
  bridge.send(feed(3, 3, { rows: [{ ...asks("q2", "And now?"), rev: 3 }] }));
  expect(store.getState().asked).toBe("desktop: And now?");
});

test("a question that was asked before the window could hear of it is told with the list", async () => {
  await answer("snapshot", { ...snapshot(1, []), rows: [asks("q1")] });
  expect(store.getState().asked).toBe("desktop: Which?");
  store.setState({ asked: "" });
  bridge.send(feed(4, 5));
  await answer("snapshot", { ...snapshot(5, []), rows: [asks("q1")] });
  expect(store.getState().asked).toBe("");
});

test("what is typed into an answer stays, whatever is looked at meanwhile, until the answer is given", async () => {
  await answer("snapshot", snapshot(1, ["a", "b"]));
  session.fill("q", "name", "half");
  session.select("b");
  session.fill("q", "rows", "7");
  session.fill("other", "name", "x");
  session.select("a");
  expect(store.getState().answers.get("q")).toEqual({ name: "half", rows: "7" });
  const given = session.answer("a", "q", { action: "accept", content: { name: "half" } });
  expect(store.getState().sending.has("q")).toBe(true);
  const call = bridge.next("answer");
  expect(call.input).toEqual({ id: "a", questionId: "q", answer: { action: "accept", content: { name: "half" } } });
  call.answer(null);
  await given;
  expect([...store.getState().answers.keys()]).toEqual(["other"]);
  expect(store.getState().sending.size).toBe(0);
});

test("an answer is sent once, however often Send is pressed", async () => {
  void session.answer("a", "q", { action: "decline" });
  void session.answer("a", "q", { action: "decline" });
  expect(bridge.count("answer")).toBe(1);
});

test("who answers too late keeps what was typed, and hears of it from the card alone", async () => {
  session.fill("q", "name", "half");
  const given = session.answer("a", "q", { action: "accept", content: {} });
  bridge.next("answer").refuse(new CallProblem("question_answered", "By agent."));
  await given;
  expect(store.getState().notices).toEqual([]);
  expect(store.getState().answers.get("q")).toEqual({ name: "half" });
});

test("an answer that could not be given is told, and can be given again", async () => {
  session.fill("q", "name", "half");
  const given = session.answer("a", "q", { action: "accept", content: {} });
  bridge.next("answer").refuse(new CallProblem("storage_failed", "The disk is full."));
  await given;
  expect(store.getState().notices).toMatchObject([{ code: "storage_failed" }]);
  expect(store.getState().answers.has("q")).toBe(true);
  expect(store.getState().sending.size).toBe(0);
});
