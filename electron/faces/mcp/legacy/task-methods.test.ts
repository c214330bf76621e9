import { describe, expect, it } from "vitest";
import { TestLegacy } from "./test-legacy";

const related = "io.modelcontextprotocol/related-task";
const notFound = (doing: string) => ({ code: -32_602, message: `Failed to ${doing}: Task not found` });

describe("a task", () => {
  it("works, and is completed with the result of its tool", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const taskId = await agent.startTask("echo", { prompt: "Hi" });
    await host.engine.becomes(taskId, "running");
    expect(await agent.task(taskId)).toMatchObject({ status: "working", pollInterval: 1_000, ttl: null });
    host.finish();
    const { result } = await agent.ask("tasks/result", { taskId });
    expect(result).toEqual({ content: [{ type: "text", text: "one two three" }], _meta: { [related]: { taskId } } });
    const task = await agent.task(taskId);
    expect(task).toMatchObject({ taskId, status: "completed", statusMessage: "done", ttl: null });
    expect(task).not.toHaveProperty("_meta");
    expect((await agent.ask("tasks/result", { taskId })).result).toEqual(result);
  });

  it("is cancelled before the answer says so, stays cancelled, and whoever waits hears it at once", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const taskId = await agent.startTask("echo", { prompt: "Hi" });
    await host.engine.becomes(taskId, "running");
    const waiting = await agent.open("tasks/result", { taskId });
    const { result } = await agent.ask("tasks/cancel", { taskId });
    expect(result).toMatchObject({ taskId, status: "cancelled", statusMessage: "cancelled by its client" });
    expect(result).not.toHaveProperty("_meta");
    const error = { code: -32_603, message: "Task was cancelled" };
    expect((await waiting.answer()).error).toEqual(error);
    host.finish();
    await host.engine.becomes(taskId, "cancelled");
    expect(await agent.task(taskId)).toEqual(result);
    expect((await agent.ask("tasks/result", { taskId })).error).toEqual(error);
    expect((await agent.ask("tasks/cancel", { taskId })).error).toEqual({
      code: -32_602,
      message: "Cannot cancel task: already in terminal status 'cancelled'",
    });
  });

  it("is not cancelled once it has ended", async () => {
    await using host = await TestLegacy.start({ model: { text: "done" } });
    const agent = await host.agent();
    const taskId = await agent.startTask("echo", { prompt: "Hi" });
    await host.engine.becomes(taskId, "succeeded");
    expect((await agent.ask("tasks/cancel", { taskId })).error).toEqual({
      code: -32_602,
      message: "Cannot cancel task: already in terminal status 'completed'",
    });
    expect((await agent.task(taskId)).status).toBe("completed");
  });

  it("is its client's in every session, and nobody else's", async () => {
    await using host = await TestLegacy.start();
    const [agent, later, stranger] = [await host.agent(), await host.agent(), await host.agent({ token: "second" })];
    const taskId = await agent.startTask("echo", { prompt: "Hi" });
    expect((await later.task(taskId)).taskId).toBe(taskId);
    for (const [method, doing] of [
      ["tasks/get", "retrieve task"],
      ["tasks/result", "retrieve task result"],
      ["tasks/cancel", "cancel task"],
    ] as const) {
      expect((await stranger.ask(method, { taskId })).error).toMatchObject(notFound(doing));
      expect((await agent.ask(method, { taskId: "task_none" })).error).toMatchObject(notFound(doing));
      for (const params of [{}, { taskId: 5 }]) expect((await agent.ask(method, params)).error.code).toBe(-32_602);
    }
    expect((await stranger.ask("tasks/list")).result).toEqual({ tasks: [] });
  });

  it("is cancelled when its ttl is over, and unknown to every method a minute later", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const taskId = await agent.startTask("echo", { prompt: "Hi" }, { ttl: 5_000 });
    await host.engine.becomes(taskId, "running");
    host.engine.clock.advance(5_000);
    expect(await agent.task(taskId)).toMatchObject({ status: "cancelled", statusMessage: "ttl expired" });
    await host.engine.becomes(taskId, "cancelled");
    host.engine.clock.advance(60_001);
    for (const method of ["tasks/get", "tasks/result", "tasks/cancel"])
      expect((await agent.ask(method, { taskId })).error.code).toBe(-32_602);
    expect((await agent.ask("tasks/list")).result.tasks).toEqual([]);
  });

  it("fails with the error of a fault of ours, told as it is and without its words", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const taskId = await agent.startTask("faulty", {});
    await host.engine.becomes(taskId, "failed");
    const { error } = await agent.ask("tasks/result", { taskId });
    expect(error.code).toBe(-32_603);
    expect((await agent.ask("tools/call", { name: "faulty" })).error).toEqual(error);
    expect(JSON.stringify([error, await agent.task(taskId)])).not.toContain("inner reason");
    expect((await agent.task(taskId)).status).toBe("failed");
    host.engine.bugs.length = 0;
  });
});

describe("the list of tasks", () => {
  it("has pages whose cursors outlive the tasks that they were made at", async () => {
    await using host = await TestLegacy.start({ model: { text: "done" } });
    const agent = await host.agent();
    const ids: string[] = [];
    for (let count = 0; count < 53; count += 1) ids.unshift(await agent.startTask("echo", { prompt: "Hi" }));
    await host.engine.until(() => host.engine.store.unfinished().length === 0);
    const first = (await agent.ask("tasks/list")).result;
    expect(first.tasks.map(({ taskId }: { taskId: string }) => taskId)).toEqual(ids.slice(0, 50));
    expect(first.tasks[0]).toEqual(await agent.task(String(ids[0])));
    const last = host.engine.store.task(String(ids[49]));
    if (last !== undefined) host.engine.ledger.remove(last);
    const second = (await agent.ask("tasks/list", { cursor: first.nextCursor })).result;
    expect(second.tasks.map(({ taskId }: { taskId: string }) => taskId)).toEqual(ids.slice(50));
    expect(second).not.toHaveProperty("nextCursor");
    for (const cursor of ["nonsense", 5, null, `${first.nextCursor}x`])
      expect((await agent.ask("tasks/list", { cursor })).error.code).toBe(-32_602);
    const stranger = await host.agent({ token: "second" });
    expect((await stranger.ask("tasks/list", { cursor: first.nextCursor })).error.code).toBe(-32_602);
  });

  it("shows tasks of other protocols too, with the result that the tool would have had", async () => {
    await using host = await TestLegacy.start({ model: { text: "done" } });
    const agent = await host.agent();
    const task = await host.engine.create({ caller: { client: "local", says: null } });
    await host.engine.becomes(task.id, "succeeded");
    expect((await agent.ask("tasks/list")).result.tasks).toMatchObject([{ taskId: task.id, status: "completed" }]);
    expect((await agent.ask("tasks/result", { taskId: task.id })).result.content).toEqual([
      { type: "text", text: "done" },
    ]);
  });
});

describe("finished tasks", () => {
  it("are resources", async () => {
    await using host = await TestLegacy.start({ model: { text: "done" } });
    const agent = await host.agent();
    const taskId = await agent.startTask("echo", { prompt: "Hi" });
    await host.engine.becomes(taskId, "succeeded");
    const uri = `simmer://tasks/${taskId}`;
    expect((await agent.ask("resources/list")).result.resources).toMatchObject([{ uri, name: taskId }]);
    expect((await agent.ask("resources/read", { uri })).result.contents).toMatchObject([{ uri, text: "done" }]);
    expect((await agent.ask("resources/templates/list")).result.resourceTemplates).toHaveLength(1);
    expect((await agent.ask("resources/read", { uri: "simmer://tasks/none" })).error.code).toBe(-32_602);
    for (const method of ["logging/setLevel", "prompts/list", "completion/complete", "resources/subscribe"])
      expect((await agent.ask(method, { level: "info" })).error.code).toBe(-32_601);
  });
});
