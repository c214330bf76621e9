import { describe, expect, it } from "vitest";
import { recoveries, restartPolicies, type TaskStatus } from "../../shared/lifecycle";
import { MemoryStore } from "../store/memory-store";
import { sampleChange, sampleEvent, sampleTask } from "../store/sample";
import { scripted, TestEngine } from "./test-engine";

const interrupted = Object.keys(recoveries) as (keyof typeof recoveries)[];

/** Counts what is committed. */
class CountingStore extends MemoryStore {
  commits = 0;

  override transaction<T>(durability: "synced" | "written", work: () => T): T {
    this.commits += 1;
    return super.transaction(durability, work);
  }
}

function add(store: MemoryStore, id: string, status: TaskStatus, onRestart: (typeof restartPolicies)[number]): void {
  store.transaction("written", () => {
    const lastSeq = status === "queued" ? 0 : 1;
    store.insert(sampleTask(id, { status, onRestart, responseId: `resp_${id}`, lastSeq }), respondInput, null);
    store.addChange(sampleChange(id));
    store.addEvents([sampleEvent(id, 0), sampleEvent(id, 1, { type: "started", attempt: 1 })].slice(0, lastSeq + 1));
  });
}

const respondInput = { messages: [{ role: "user", text: "Hi" }], options: { stop: [], format: { type: "text" } } };
const silent = { text: "x", hold: ["load" as const] };

describe("the start of a host", () => {
  // LMSP 7.5; B65: none is left that nobody runs.
  it.each(interrupted.flatMap((status) => restartPolicies.map((policy) => [status, policy] as const)))(
    "makes of a task in %s with %s what the table says, in its timeline too",
    async (status, policy) => {
      const store = new MemoryStore();
      add(store, "task_1", status, policy);
      const engine = new TestEngine(scripted(silent), { store });
      const recovery = recoveries[status][policy];
      if (recovery === "queued") await engine.becomes("task_1", "loading");
      const told = store.changes("task_1").slice(1);
      // What had not begun simply waits on; an open question stays open.
      const isKept = recovery === "wait" || (status === "queued" && recovery === "queued");
      const restart = { to: recovery, reason: "service restarted", attempt: recovery === "queued" ? 2 : 1 };
      expect(told.filter(({ to }) => to !== "loading")).toMatchObject(isKept ? [] : [restart]);
      await engine.close();
    },
  );

  it("commits no more often for many tasks than for one", async () => {
    const commits = [];
    for (const count of [1, 300]) {
      const store = new CountingStore();
      for (let index = 0; index < count; index += 1)
        add(store, `task_${index}`, interrupted[index % 5] ?? "queued", "fail");
      store.commits = 0;
      const engine = new TestEngine(scripted(silent), { store });
      expect(store.unfinished()).toEqual([]);
      commits.push(store.commits);
      await engine.close();
    }
    expect(commits[1]).toBe(commits[0]);
  });

  it("runs what waits in the order in which it was made, first what had begun", async () => {
    const store = new MemoryStore();
    add(store, "task_1", "running", "retry");
    add(store, "task_2", "queued", "resume");
    add(store, "task_3", "loading", "resume");
    const engine = new TestEngine(scripted(silent), { store });
    await engine.becomes("task_1", "loading");
    const tasks = ["task_1", "task_2", "task_3"].flatMap((id) => store.task(id) ?? []);
    expect(tasks.map(({ status }) => status)).toEqual(["loading", "queued", "queued"]);
    expect(tasks.slice(1).map((task) => engine.scheduler.position(task))).toEqual([1, 2]);
    await engine.close();
  });
});
