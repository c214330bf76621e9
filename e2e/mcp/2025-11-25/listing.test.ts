import { describe, expect } from "vitest";
import { it } from "../test";

describe("listing tasks (Listing Tasks, Task Listing)", () => {
  it("a client without tasks has an empty list", async ({ client }) => {
    expect(await client.list()).toMatchObject({ tasks: [] });
  });

  it("tasks/list has every task of the client as tasks/get tells it", async ({ host, client }) => {
    host.desk.open("a");
    const completed = await client.start("hold", { label: "a" });
    await client.until(completed, "completed");
    const failed = await client.start("problem", { detail: "It fails." });
    await client.until(failed, "failed");
    const working = await client.start("hold", { label: "b" });
    await host.eventually(() => host.desk.runs("b") === 1);
    const { tasks } = await client.list();
    expect(tasks.map(({ taskId }) => taskId)).toEqual([working, failed, completed]);
    for (const task of tasks) {
      const { _meta, ...got } = await client.task(task.taskId);
      expect(task).toEqual(got);
    }
  });

  it("a task that tasks/get knows is in tasks/list, whatever made it", async ({ host, client }) => {
    const byLmsp = await host.lmsp().create({ model: "held", input: "Write." });
    const byModern = await host.modern().start("hold", { label: "a" });
    const byThis = await client.start("hold", { label: "a" });
    const listed = (await client.all()).map(({ taskId }) => taskId);
    for (const taskId of [byLmsp.id, byModern, byThis]) {
      expect((await client.task(taskId)).taskId).toBe(taskId);
      expect(listed).toContain(taskId);
    }
  });

  it("what tasks/list leaves out tasks/get does not know: a plain call is no task", async ({ host, client }) => {
    const call = client.call("hold", { label: "a" });
    await host.eventually(() => host.desk.runs("a") === 1);
    const [hidden] = host.everyTask();
    expect((await client.list()).tasks).toEqual([]);
    expect((await client.error("tasks/get", { taskId: hidden?.id })).code).toBe(-32602);
    host.desk.open("a");
    await call;
  });

  // Case B85: all in one moment.
  it("a receiver pages its list and gives nextCursor while there is more", async ({ client }) => {
    const made = await Promise.all(Array.from({ length: 120 }, () => client.start("hold", { label: "a" })));
    const pages: string[][] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const { tasks, nextCursor } = await client.list(cursor);
      pages.push(tasks.map(({ taskId }) => taskId));
      cursor = nextCursor;
      more = nextCursor !== undefined;
    }
    expect(pages.map(({ length }) => length)).toEqual([50, 50, 20]);
    expect(new Set(pages.flat())).toEqual(new Set(made));
  });

  // Case B86.
  it("a walk over the pages meets each task once, also while tasks come, end and go", async ({ host, client }) => {
    const made: string[] = [];
    for (let index = 0; index < 60; index += 1) made.push(await client.start("hold", { label: `${index}` }));
    const first = await client.list();
    for (let index = 0; index < 60; index += 2) host.desk.open(`${index}`);
    await Promise.all(Array.from({ length: 20 }, () => client.start("hold", { label: "new" })));
    // The next to last of the page has an odd label: it still waits.
    await client.cancel(String(first.tasks.at(-2)?.taskId));
    const second = await client.list(first.nextCursor);
    const met = [...first.tasks, ...second.tasks].map(({ taskId }) => taskId);
    expect(met).toEqual([...made].reverse());
    expect(second.nextCursor).toBeUndefined();
  });

  it("a cursor is good in another session and after a restart of the host", async ({ host, client }) => {
    const made: string[] = [];
    for (let index = 0; index < 60; index += 1) made.push(await client.start("hold", { label: "a" }));
    const { nextCursor } = await client.list();
    const rest = [...made].reverse().slice(50);
    const elsewhere = await host.client();
    expect((await elsewhere.list(nextCursor)).tasks.map(({ taskId }) => taskId)).toEqual(rest);
    await using after = await host.restart();
    const page = await (await after.client()).request("tasks/list", { cursor: nextCursor });
    // A cursor is either still good or refused; it never leads anywhere else.
    if ("error" in page) expect(page.error.code).toBe(-32602);
    else expect(page.result.tasks).toMatchObject(rest.map((taskId) => ({ taskId })));
  });

  // Case B73.
  it("after a restart the list has every task, before any of them was asked for", async ({ host, client }) => {
    const made = await Promise.all(Array.from({ length: 5 }, () => client.start("hold", { label: "a" })));
    await using after = await host.restart();
    const { tasks } = await (await after.client()).list();
    expect(new Set(tasks.map(({ taskId }) => taskId))).toEqual(new Set(made));
  });

  // Case 25.
  it("the end of one session leaves the tasks of all others, and its own, alone", async ({ host, client }) => {
    const other = await host.client();
    const mine = await client.start("hold", { label: "mine" });
    const theirs = await other.start("hold", { label: "theirs" });
    expect([200, 204]).toContain(await other.end());
    expect((await client.task(mine)).status).toBe("working");
    expect((await client.task(theirs)).status).toBe("working");
    const again = await host.client();
    expect((await again.all()).map(({ taskId }) => taskId).sort()).toEqual([mine, theirs].sort());
    host.desk.open("theirs");
    expect((await again.outcome(theirs)).content[0]?.text).toBe("theirs");
  });
});
