import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestModern } from "./test-modern";
import type { ModernAgent } from "./test-modern-agent";
import { withForms, withTasks } from "./test-modern-agent";

let host: TestModern;
beforeEach(async () => {
  host = await TestModern.start();
});
afterEach(() => host[Symbol.asyncDispose]());

describe("a call of a client that declares tasks", () => {
  let agent: ModernAgent;
  beforeEach(() => {
    agent = host.agent(withTasks);
  });

  it("is a task that can be asked for at once and ends with the result", async () => {
    const { result } = await agent.call("echo", { prompt: "Hi" });
    expect(result).toMatchObject({ resultType: "task", status: "working", ttlMs: null });
    expect(result).not.toHaveProperty("content");
    expect(await agent.task(result.taskId)).toMatchObject({
      resultType: "complete",
      taskId: result.taskId,
      status: "working",
    });
    host.finish();
    await host.engine.becomes(result.taskId, "succeeded");
    expect((await agent.task(result.taskId)).result).toEqual({
      resultType: "complete",
      content: [{ type: "text", text: "one two three" }],
    });
  });

  it("is a task also when it brings the field of the generation before", async () => {
    for (const task of [{}, { ttl: -1 }, true, "now"])
      expect((await agent.call("echo", { prompt: "Hi" }, { task })).result).toMatchObject({
        resultType: "task",
        ttlMs: null,
      });
  });

  it("is answered at once by a tool that runs as no task", async () => {
    const { result } = await agent.call("count_models", {});
    expect(result).toMatchObject({ resultType: "complete", structuredContent: { count: 0 } });
    expect(host.engine.store.tasks({ limit: 1 })).toEqual([]);
  });

  it("comes to no task when its arguments do not fit: the answer names the field", async () => {
    const { result } = await agent.call("echo", { prompt: 7 });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: "invalid_request" } });
    expect(result.content[0].text).toMatch(/^invalid_request: prompt: /);
    expect(host.engine.store.tasks({ limit: 1 })).toEqual([]);
  });

  it("is an error for a tool that does not exist, and for params that are none", async () => {
    expect((await agent.call("nothing", {})).error).toMatchObject({ code: -32602, message: "Unknown tool: nothing" });
    expect((await agent.ask("tools/call", { name: "echo", arguments: [] })).error.code).toBe(-32602);
  });
});

describe("a call of a client that declares no tasks", () => {
  it("waits for the result of a hidden task", async () => {
    const agent = host.agent();
    const answer = agent.call("echo", { prompt: "Hi" });
    await host.engine.until(() => host.engine.store.tasks({ limit: 1 })[0]?.status === "running");
    expect(host.newest).toMatchObject({ listed: false, client: "local", origin: "mcp" });
    host.finish();
    expect((await answer).result).toMatchObject({
      resultType: "complete",
      content: [{ type: "text", text: "one two three" }],
    });
    const seen = await host.agent(withTasks).ask("tasks/get", { taskId: host.newest.id });
    expect(seen.error.code).toBe(-32602);
  });

  it("is refused by a tool that takes too long for it, with what it would have to declare", async () => {
    const response = await host
      .agent(withForms)
      .post("tools/call", { params: { name: "long_echo", arguments: { prompt: "Hi" } } });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
    });
    expect(host.engine.store.tasks({ limit: 1 })).toEqual([]);
  });

  it("is answered with what is wrong when the tool fails", async () => {
    await using failing = await TestModern.start({ model: { loadFails: "cut short" } });
    const { result } = await failing.agent().call("echo", { prompt: "Hi" });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: "model_load_failed" } });
  });

  it("has its headers at once, and lives as long as its caller waits", async () => {
    await using stream = await host
      .agent()
      .open("tools/call", { params: { name: "echo", arguments: { prompt: "Hi" } } });
    expect(stream.response.headers.get("content-type")).toContain("text/event-stream");
    await host.engine.until(() => host.engine.store.tasks({ limit: 1 })[0]?.status === "running");
    await stream.drop();
    await host.engine.becomes(host.newest.id, "cancelled");
    expect(host.newest.outcome).toEqual({ kind: "cancelled", reason: "its caller went away" });
  });

  it("is left as it is when the server stops", async () => {
    await using stream = await host
      .agent()
      .open("tools/call", { params: { name: "echo", arguments: { prompt: "Hi" } } });
    await host.engine.until(() => host.engine.store.tasks({ limit: 1 })[0]?.status === "running");
    await host.app.close();
    await stream.end();
    expect(host.newest.status).toBe("running");
  });

  it("is told how it gets on when it asks for that", async () => {
    const params = { name: "echo", arguments: { prompt: "Hi" } };
    await using stream = await host.agent().open("tools/call", { params, meta: { progressToken: "p" } });
    await host.engine.until(() => host.engine.store.tasks({ limit: 1 })[0]?.status === "running");
    for (let seconds = 0; seconds < 12; seconds += 4) host.engine.clock.advance(4_000);
    host.finish();
    await stream.answer();
    await stream.end();
    const notes = stream.messages
      .filter(({ method }) => method === "notifications/progress")
      .map(({ params }) => params);
    expect(notes.length).toBeGreaterThanOrEqual(3);
    for (const [index, note] of notes.entries()) {
      expect(note).toMatchObject({ progressToken: "p", message: expect.any(String) });
      if (index > 0) expect(note.progress).toBeGreaterThan(notes[index - 1].progress);
    }
  });
});
