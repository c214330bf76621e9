import { describe, expect, it } from "vitest";
import { TestLegacy } from "./test-legacy";

const related = "io.modelcontextprotocol/related-task";

describe("a call as a task", () => {
  it("is answered at once with the task as it was made", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const { result } = await agent.callTask("echo", { prompt: "Hi" }, { ttl: 60_000.2 });
    expect(result).not.toHaveProperty("content");
    expect(result.task).toMatchObject({ status: "working", ttl: 60_001, createdAt: "1970-01-01T00:16:40.000Z" });
    expect(result.task.taskId).toMatch(/^task_[0-9A-Z]{26}$/);
    expect(result._meta[related]).toEqual({ taskId: result.task.taskId });
    expect(result._meta["io.modelcontextprotocol/model-immediate-response"]).toContain(result.task.taskId);
    expect(await agent.task(result.task.taskId)).toMatchObject({ taskId: result.task.taskId, ttl: 60_001 });
  });

  it.each([{ ttl: "5" }, { ttl: null }, { ttl: -5 }, true])("is refused for a malformed task: %j", async (task) => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const answer = await agent.ask("tools/call", { name: "echo", arguments: { prompt: "Hi" }, task });
    expect(answer.error.code).toBe(-32_602);
    expect(host.engine.store.unfinished()).toEqual([]);
  });

  it("keeps a task whose ttl is longer than a timer can be", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const taskId = await agent.startTask("echo", { prompt: "Hi" }, { ttl: 1e15 });
    expect(await agent.task(taskId)).toMatchObject({ status: "working", ttl: 2_147_483_647 });
  });

  it("is refused for a tool that cannot be one, and nothing runs", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    expect((await agent.callTask("count_models", {})).error.code).toBe(-32_601);
    expect((await agent.callTask("nothing", {})).error).toEqual({ code: -32_602, message: "Unknown tool: nothing" });
  });

  it.each([
    [{ prompt: 5 }, "invalid_request: prompt:"],
    [{ prompt: "Hi", model: "broken" }, "model_load_failed: "],
  ])("fails as a task when it cannot be done: %j", async (args, words) => {
    await using host = await TestLegacy.start({ others: { broken: { loadFails: "no memory" } } });
    const agent = await host.agent();
    const taskId = await agent.startTask("echo", args);
    const { result } = await agent.ask("tasks/result", { taskId });
    expect(result).toMatchObject({ isError: true, _meta: { [related]: { taskId } } });
    expect(result.content[0].text).toContain(words);
    expect(result.structuredContent.code).toBe(words.split(":")[0]);
    const task = await agent.task(taskId);
    expect(task.status).toBe("failed");
    expect(result.content[0].text).toContain(task.statusMessage);
    expect(task).not.toHaveProperty("pollInterval");
  });

  it("is refused when too many wait, and says when to come back", async () => {
    await using host = await TestLegacy.start({ settings: { "limits.queue_per_client": 1 } });
    const agent = await host.agent();
    await agent.startTask("echo", { prompt: "runs" });
    await host.engine.until(() => host.engine.store.unfinished()[0]?.status === "running");
    await agent.startTask("echo", { prompt: "waits" });
    const { error } = await agent.callTask("echo", { prompt: "too many" });
    expect(error).toMatchObject({ code: -32_603, data: { code: "queue_full", retryAfter: 1 } });
    const plain = await agent.ask("tools/call", { name: "echo", arguments: { prompt: "too many" } });
    expect(plain.error).toEqual(error);
  });
});

describe("a plain call", () => {
  it("answers with the result, and no list shows its task", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const stream = await agent.open("tools/call", { name: "echo", arguments: { prompt: "Hi" } });
    await host.engine.until(() => host.engine.store.unfinished()[0]?.status === "running");
    const [hidden] = host.engine.store.unfinished();
    expect(hidden).toMatchObject({ listed: false, origin: "mcp", caller: "test 1" });
    expect((await agent.ask("tasks/list")).result.tasks).toEqual([]);
    expect((await agent.ask("tasks/get", { taskId: hidden?.id })).error.code).toBe(-32_602);
    host.finish();
    expect((await stream.answer()).result).toEqual({ content: [{ type: "text", text: "one two three" }] });
    await stream.end();
  });

  it("is refused for a tool that runs only as a task, and nothing runs", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const answer = await agent.ask("tools/call", { name: "long_echo", arguments: { prompt: "Hi" } });
    expect(answer.error.code).toBe(-32_601);
    expect(host.engine.store.unfinished()).toEqual([]);
  });

  it("answers with what went wrong, in words for a model", async () => {
    await using host = await TestLegacy.start({ others: { broken: { loadFails: "no memory" } } });
    const agent = await host.agent();
    const call = (args: object) => agent.ask("tools/call", { name: "echo", arguments: args });
    expect((await call({ prompt: "Hi", extra: 1 })).result).toMatchObject({
      isError: true,
      structuredContent: { code: "invalid_request" },
    });
    expect((await call({ prompt: "Hi", model: "broken" })).result).toMatchObject({
      isError: true,
      structuredContent: { code: "model_load_failed" },
    });
    expect((await agent.ask("tools/call", { name: 5 })).error.code).toBe(-32_602);
    expect((await agent.ask("tools/call", { name: "echo", arguments: [] })).error.code).toBe(-32_602);
  });

  it("is cancelled when its caller leaves", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const stream = await agent.open("tools/call", { name: "echo", arguments: { prompt: "Hi" } });
    await host.engine.until(() => host.engine.store.unfinished()[0]?.status === "running");
    const id = String(host.engine.store.unfinished()[0]?.id);
    await stream.drop();
    await host.engine.becomes(id, "cancelled");
    expect(host.engine.store.task(id)?.outcome).toEqual({ kind: "cancelled", reason: "its caller went away" });
    expect(host.logged).toEqual([]);
  });

  it("is cancelled by notifications/cancelled, gets no answer, and its stream ends", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const requestId = agent.nextId;
    const stream = await agent.open("tools/call", { name: "echo", arguments: { prompt: "Hi" } });
    await host.engine.until(() => host.engine.store.unfinished()[0]?.status === "running");
    const id = String(host.engine.store.unfinished()[0]?.id);
    await agent.notify("notifications/cancelled", { requestId, reason: "changed my mind" });
    await stream.end();
    expect(stream.messages).toEqual([]);
    await host.engine.becomes(id, "cancelled");
    const again = { jsonrpc: "2.0", id: requestId, method: "ping" };
    expect((await agent.http("POST", again)).status).toBe(200);
  });

  it("is cancelled when its session ends", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const stream = await agent.open("tools/call", { name: "echo", arguments: { prompt: "Hi" } });
    await host.engine.until(() => host.engine.store.unfinished()[0]?.status === "running");
    const id = String(host.engine.store.unfinished()[0]?.id);
    await agent.http("DELETE");
    await stream.end();
    await host.engine.becomes(id, "cancelled");
  });

  it("ends as cancelled when the person at the window cancels it", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const stream = await agent.open("tools/call", { name: "echo", arguments: { prompt: "Hi" } });
    await host.engine.until(() => host.engine.store.unfinished()[0]?.status === "running");
    const id = String(host.engine.store.unfinished()[0]?.id);
    host.engine.service.cancel({ client: "desktop", says: null, seesAll: true }, {}, id, "cancelled at the window");
    expect((await stream.answer()).error).toMatchObject({ code: -32_603, message: "Task was cancelled" });
  });
});
