import { describe, expect } from "vitest";
import { itWithClock as it } from "../test";

/** How long a task can still be read after its ttl and its end, in milliseconds. */
const grace = 60_000;

describe("ttl and times (TTL and Resource Management)", () => {
  it("every answer about a task says in ISO 8601 when it was created and last updated", async ({ client }) => {
    const { task } = await client.create("hold", { label: "a" });
    const answers = [
      task,
      await client.task(task.taskId),
      (await client.list()).tasks[0],
      await client.cancel(task.taskId),
    ];
    for (const answer of answers) {
      for (const time of [answer?.createdAt, answer?.lastUpdatedAt])
        expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
      expect(answer?.createdAt).toBe(task.createdAt);
    }
  });

  it("lastUpdatedAt is the time of the last change of status", async ({ host, client, clock }) => {
    const { task } = await client.create("hold", { label: "a" });
    await host.eventually(() => host.desk.runs("a") === 1);
    clock.advance(5_000);
    host.desk.open("a");
    const ended = await client.until(task.taskId, "completed");
    expect(Date.parse(ended.lastUpdatedAt) - Date.parse(task.createdAt)).toBe(5_000);
    clock.advance(5_000);
    expect((await client.task(task.taskId)).lastUpdatedAt).toBe(ended.lastUpdatedAt);
  });

  // Case 23: a ttl of 0 does not die at once; case 31: an enormous one does not either.
  it.for([
    [0, 1_000],
    [0.5, 1_000],
    [1_000, 1_000],
    [60_000.2, 60_001],
    [2_147_483_647, 2_147_483_647],
    [2_147_483_648, 2_147_483_647],
    [1e15, 2_147_483_647],
    [1e300, 2_147_483_647],
  ])(
    "a receiver overrides a ttl that it does not grant, and says so: %d becomes %d",
    async ([ttl, granted], { client }) => {
      const { task } = await client.create("hold", { label: "a" }, { ttl });
      expect(task.ttl).toBe(granted);
      expect(await client.task(task.taskId)).toMatchObject({ status: "working", ttl: granted });
    },
  );

  it("tasks/get tells the ttl in force, null for one without end", async ({ client }) => {
    const without = await client.start("hold", { label: "a" });
    const limited = await client.start("hold", { label: "a" }, { ttl: 5_000 });
    expect((await client.task(without)).ttl).toBeNull();
    expect((await client.task(limited)).ttl).toBe(5_000);
  });

  it("a task without a ttl is never deleted", async ({ host, client, clock }) => {
    host.desk.open("a");
    const taskId = await client.start("hold", { label: "a" });
    await client.until(taskId, "completed");
    clock.advance(14 * 24 * 3_600_000);
    // The session is over by then; its client comes back with a new one.
    const later = await host.client();
    expect((await later.outcome(taskId)).content[0]?.text).toBe("a");
  });

  // Case 13: never "not found" while it runs.
  it("a task that has not ended when its ttl is over is cancelled and says so", async ({ host, client, clock }) => {
    const taskId = await client.start("hold", { label: "a" }, { ttl: 1_000 });
    const waiting = client.error("tasks/result", { taskId });
    await host.eventually(() => host.desk.runs("a") === 1);
    clock.advance(999);
    expect((await client.task(taskId)).status).toBe("working");
    clock.advance(1);
    expect(await client.until(taskId, "cancelled")).toMatchObject({ statusMessage: "ttl expired" });
    expect((await waiting).code).toBe(-32603);
  });

  it("a task whose ttl is over while it waits or asks is cancelled too", async ({ host, clock }) => {
    const client = await host.client({ capabilities: { elicitation: {} } });
    const asking = await client.start("ask", { label: "a" }, { ttl: 2_000 });
    await client.until(asking, "input_required");
    clock.advance(2_000);
    expect((await client.until(asking, "cancelled")).statusMessage).toBe("ttl expired");
  });

  // Case 14.
  it("after its ttl a task is deleted and every method answers -32602", async ({ host, client, clock }) => {
    host.desk.open("a");
    const taskId = await client.start("hold", { label: "a" }, { ttl: 5_000 });
    await client.until(taskId, "completed");
    clock.advance(5_000);
    expect((await client.task(taskId)).status).toBe("completed");
    clock.advance(grace);
    for (const method of ["tasks/get", "tasks/result", "tasks/cancel"]) {
      const error = await client.error(method, { taskId });
      expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/not found|expired/i) });
    }
    expect((await client.list()).tasks).toEqual([]);
  });

  it("a task that was cancelled by its ttl is kept for a while, then deleted", async ({ host, client, clock }) => {
    const taskId = await client.start("hold", { label: "a" }, { ttl: 1_000 });
    await host.eventually(() => host.desk.runs("a") === 1);
    clock.advance(1_000);
    await client.until(taskId, "cancelled");
    await host.eventually(() => host.seenAtTheDesktop(taskId).status === "cancelled");
    clock.advance(grace - 1);
    expect((await client.task(taskId)).status).toBe("cancelled");
    clock.advance(1);
    expect((await client.error("tasks/get", { taskId })).code).toBe(-32602);
  });

  it("a ttl that ran out while no host ran is in force at the next start", async ({ host, client, clock }) => {
    host.desk.open("a");
    const taskId = await client.start("hold", { label: "a" }, { ttl: 5_000 });
    await client.until(taskId, "completed");
    clock.advance(4_000);
    await using after = await host.restart();
    const again = await after.client();
    expect((await again.task(taskId)).status).toBe("completed");
    clock.advance(1_000 + grace);
    expect((await again.error("tasks/get", { taskId })).code).toBe(-32602);
  });
});
