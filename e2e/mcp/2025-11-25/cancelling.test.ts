import { describe, expect } from "vitest";
import { it } from "../test";

describe("cancelling tasks (Task Cancellation)", () => {
  it.for([
    ["completed", "hold", { label: "open" }],
    ["failed", "problem", { detail: "It fails." }],
    ["cancelled", "hold", { label: "closed" }],
  ] as const)(
    "a receiver rejects the cancel of a task in a terminal status with -32602: %s",
    async ([status, tool, args], { host, client }) => {
      host.desk.open("open");
      const taskId = await client.start(tool, args);
      if (status === "cancelled") await client.cancel(taskId);
      const before = await client.until(taskId, status);
      // Cases 16 and B82: nothing of the task changes.
      const error = await client.error("tasks/cancel", { taskId });
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(status) });
      expect(await client.task(taskId)).toEqual(before);
    },
  );

  it("a cancel is answered by the task in cancelled, however slowly the work stops", async ({ host, client }) => {
    const taskId = await client.start("generate", { prompt: "Write.", model: "deaf" });
    await client.until(taskId, "working");
    await host.eventually(() => host.seenAtTheDesktop(taskId).status === "running");
    const task = await client.cancel(taskId);
    expect(task).toMatchObject({ taskId, status: "cancelled", statusMessage: expect.any(String) });
    expect(host.seenAtTheDesktop(taskId).status).toBe("cancelling");
    host.backend.release(10);
  });

  it("a task stays cancelled even when its work goes on and completes", async ({ host, client }) => {
    const taskId = await client.start("generate", { prompt: "Write.", model: "deaf" });
    await host.eventually(() => host.seenAtTheDesktop(taskId).status === "running");
    const cancelled = await client.cancel(taskId);
    host.backend.release(10);
    await host.eventually(() => host.seenAtTheDesktop(taskId).status === "cancelled");
    const { lastUpdatedAt } = await client.task(taskId);
    expect(await client.task(taskId)).toMatchObject({ status: "cancelled" });
    expect(lastUpdatedAt).toBe(cancelled.lastUpdatedAt);
    expect((await client.error("tasks/result", { taskId })).code).toBe(-32603);
  });

  it("a cancel stops the work", async ({ host, client }) => {
    const taskId = await client.start("generate", { prompt: "Write.", model: "held" });
    host.backend.release(2, "held");
    await host.eventually(async () => (await host.backend.stats()).generating === 1);
    await client.cancel(taskId);
    await host.eventually(async () => (await host.backend.stats()).generating === 0);
    expect((await client.task(taskId)).status).toBe("cancelled");
  });

  it("a task that waits in the queue is cancelled and never begins", async ({ host, client }) => {
    const model = "held";
    const running = await Promise.all(
      Array.from({ length: 8 }, () => client.start("generate", { prompt: "Write.", model })),
    );
    await host.eventually(async () => (await host.backend.stats()).generating === 8);
    const waiting = await client.start("generate", { prompt: "Write.", model });
    expect((await client.cancel(waiting)).status).toBe("cancelled");
    host.backend.release(8 * 7);
    for (const taskId of running) await client.until(taskId, "completed");
    expect(host.service.changes({ client: "alice", says: null }, {}, waiting).map(({ to }) => to)).toEqual([
      "queued",
      "cancelled",
    ]);
  });

  // Case B83.
  it("a tasks/result that waits when the cancel comes is answered at once: -32603, Task was cancelled", async ({
    host,
    client,
  }) => {
    const taskId = await client.start("generate", { prompt: "Write.", model: "deaf" });
    await host.eventually(() => host.seenAtTheDesktop(taskId).status === "running");
    const waiting = client.error("tasks/result", { taskId });
    const other = await host.client();
    const waitingElsewhere = other.error("tasks/result", { taskId });
    await other.cancel(taskId);
    // The work is held: an answer that waited for its stop would never come.
    for (const error of await Promise.all([waiting, waitingElsewhere]))
      expect(error).toMatchObject({ code: -32603, message: "Task was cancelled" });
    host.backend.release(10);
  });

  it("a cancelled task is kept, and its tasks/result keeps its answer", async ({ host, client }) => {
    const taskId = await client.start("hold", { label: "a" });
    await client.cancel(taskId);
    const first = await client.error("tasks/result", { taskId });
    await using after = await host.restart();
    const again = await after.client();
    expect((await again.task(taskId)).status).toBe("cancelled");
    expect(await again.error("tasks/result", { taskId })).toEqual(first);
  });

  it("a task is cancelled by tasks/cancel only: notifications/cancelled of the creating request does nothing", async ({
    client,
  }) => {
    const { answer } = await client.post({
      id: "creates",
      method: "tools/call",
      params: { name: "hold", arguments: { label: "a" }, task: {} },
    });
    expect(answer).toHaveProperty("result.task.status", "working");
    await client.notify("notifications/cancelled", { requestId: "creates" });
    expect((await client.list()).tasks[0]?.status).toBe("working");
  });

  // Case 17 for this revision: a plain call has nobody left who could fetch its result.
  it("a plain call whose caller goes away is cancelled", async ({ host, client }) => {
    const leaving = new AbortController();
    const call = client.call("generate", { prompt: "Write.", model: "held" }, {}, leaving.signal);
    await host.eventually(async () => (await host.backend.stats()).generating === 1);
    leaving.abort();
    await expect(call).rejects.toThrow();
    await host.eventually(async () => (await host.backend.stats()).generating === 0);
    expect(host.everyTask().map(({ status }) => status)).toEqual(["cancelled"]);
  });

  it("a plain call that its caller cancels by notifications/cancelled is stopped", async ({ host, client }) => {
    const leaving = new AbortController();
    const params = { name: "generate", arguments: { prompt: "Write.", model: "held" } };
    const call = client.post({ id: "plain", method: "tools/call", params }, { signal: leaving.signal });
    await host.eventually(async () => (await host.backend.stats()).generating === 1);
    await client.notify("notifications/cancelled", { requestId: "plain" });
    await host.eventually(async () => (await host.backend.stats()).generating === 0);
    leaving.abort();
    await call.catch(() => undefined); // the server may have ended it already
  });
});
