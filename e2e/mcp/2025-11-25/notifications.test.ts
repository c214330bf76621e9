import { describe, expect } from "vitest";
import type { Received } from "../raw-client";
import { it } from "../test";
import { progressParams, toldTask } from "../wire";

const status = "notifications/tasks/status";
const progress = "notifications/progress";
const hasStatus = (wanted: string) => (received: Received) => received.params.status === wanted;

const hasCounted = (parts: number) => (received: Received) => Number(received.params.progress) >= parts;

describe("notifications of a task's status (Task Status Notification)", () => {
  it("a receiver that notifies sends the full task, the same as tasks/get", async ({ host }) => {
    const client = await host.client({ listen: true });
    host.desk.open("a");
    const taskId = await client.start("hold", { label: "a" }, { ttl: 60_000 });
    const told = toldTask.parse((await client.next(status, hasStatus("completed"))).params);
    expect(told).toMatchObject({ taskId, status: "completed", ttl: 60_000 });
    const { _meta: _told, ...fields } = told;
    const { _meta: _got, ...got } = await client.task(taskId);
    expect(fields).toEqual(got);
  });

  it("nothing depends on them: a client without a stream loses no result", async ({ host, client }) => {
    const taskId = await client.start("hold", { label: "a" });
    host.desk.open("a");
    await client.until(taskId, "completed");
    expect((await client.outcome(taskId)).content[0]?.text).toBe("a");
    expect(client.received).toEqual([]);
  });

  it("a task that fails says why in the notification too", async ({ host }) => {
    const client = await host.client({ listen: true });
    await client.start("problem", { detail: "The file is cut short." });
    const { params } = await client.next(status, hasStatus("failed"));
    expect(params.statusMessage).toContain("The file is cut short");
  });

  it("a cancel is notified once", async ({ host }) => {
    const client = await host.client({ listen: true });
    const taskId = await client.start("hold", { label: "a" });
    await host.eventually(() => host.desk.runs("a") === 1);
    await client.cancel(taskId);
    await client.next(status, hasStatus("cancelled"));
    await host.eventually(() => host.seenAtTheDesktop(taskId).status === "cancelled");
    host.desk.open("b");
    const other = await client.start("hold", { label: "b" });
    await client.next(status, (one) => one.params.taskId === other && one.params.status === "completed");
    expect(client.receivedOf(status).filter(hasStatus("cancelled"))).toHaveLength(1);
  });

  // Case 11.
  it("how far a task is shows in statusMessage, and is notified", async ({ host }) => {
    const client = await host.client({ listen: true });
    const taskId = await client.start("count", { label: "a", total: 3 });
    host.desk.open("a");
    const saysFirst = (message: unknown) => typeof message === "string" && /1 of 3/.test(message);
    await host.eventually(async () => saysFirst((await client.task(taskId)).statusMessage));
    await client.next(status, ({ params }) => params.taskId === taskId && saysFirst(params.statusMessage));
  });
});

describe("progress of a task (Task Progress Notifications)", () => {
  it("the token of the creating request is good for the whole life of the task, and no longer", async ({ host }) => {
    const client = await host.client({ listen: true });
    const taskId = await client.start("count", { label: "a", total: 3 }, {}, { progressToken: "counting" });
    for (let done = 1; done <= 3; done += 1) {
      host.desk.open("a");
      await client.next(progress, hasCounted(done));
    }
    host.desk.open("a");
    await client.next(status, hasStatus("completed"));
    await client.outcome(taskId);
    const told = client.receivedOf(progress).map(({ params }) => progressParams.parse(params));
    expect(new Set(told.map(({ progressToken }) => progressToken))).toEqual(new Set(["counting"]));
    // Progress: the number grows with every notification.
    for (const [index, one] of told.entries()) expect(one.progress).toBeGreaterThan(told[index - 1]?.progress ?? -1);
    expect(told.at(-1)).toMatchObject({ total: 3, message: expect.stringContaining("3 of 3") });
  });

  it("progress comes on an open tasks/result when there is one", async ({ host }) => {
    const client = await host.client();
    const taskId = await client.start("count", { label: "a", total: 1 }, {}, { progressToken: 7 });
    const outcome = client.outcome(taskId);
    await client.task(taskId);
    host.desk.open("a");
    const told = await client.next(progress, hasCounted(1));
    expect(told).toMatchObject({ on: "tasks/result", params: { progressToken: 7, total: expect.any(Number) } });
    host.desk.open("a");
    await outcome;
  });

  it("a token is good on a stream that its session opens again, and means nothing to another session", async ({
    host,
  }) => {
    const client = await host.client();
    const other = await host.client({ listen: true });
    const leaving = new AbortController();
    await client.listen(leaving.signal);
    const taskId = await client.start("count", { label: "a", total: 2 }, {}, { progressToken: "kept" });
    host.desk.open("a");
    await client.next(progress, hasCounted(1));
    leaving.abort();
    await client.task(taskId);
    await client.listen();
    host.desk.open("a");
    await client.next(progress, hasCounted(2));
    expect(other.receivedOf(progress)).toEqual([]);
  });

  it("without a token there is no progress", async ({ host }) => {
    const client = await host.client({ listen: true });
    const taskId = await client.start("count", { label: "a", total: 1 });
    host.desk.open("a", 2);
    await client.next(status, hasStatus("completed"));
    await client.outcome(taskId);
    expect(client.receivedOf(progress)).toEqual([]);
  });

  it("a plain call tells its progress on its own stream", async ({ host, client }) => {
    const call = client.call("count", { label: "a", total: 1 }, { _meta: { progressToken: "p" } });
    host.desk.open("a");
    expect(await client.next(progress, hasCounted(1))).toMatchObject({
      on: "tools/call",
      params: { progressToken: "p" },
    });
    host.desk.open("a");
    expect((await call).content[0]?.text).toBe("counted");
  });

  it("a writing task's progress only ever grows", async ({ host }) => {
    const client = await host.client({ listen: true });
    const args = { prompt: "Write.", model: "held" };
    const taskId = await client.start("generate", args, {}, { progressToken: "p" });
    host.backend.release(7);
    await client.outcome(taskId);
    const told = client.receivedOf(progress).map(({ params }) => progressParams.parse(params).progress);
    for (const [index, value] of told.entries()) expect(value).toBeGreaterThan(told[index - 1] ?? -1);
  });
});
