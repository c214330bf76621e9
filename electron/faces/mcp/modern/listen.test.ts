import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestModern } from "./test-modern";
import { type ModernAgent, withForms, withTasks } from "./test-modern-agent";

const declared = { ...withTasks, ...withForms };
const subscriptionId = "io.modelcontextprotocol/subscriptionId";
const form = { type: "form", message: "?", schema: { type: "object", properties: {} } };

let host: TestModern;
let agent: ModernAgent;
beforeEach(async () => {
  host = await TestModern.start({ registration: { extra: { capabilities: { tools: { listChanged: true } } } } });
  agent = host.agent(declared);
});
afterEach(() => host[Symbol.asyncDispose]());

const listen = (notifications: object, id: string | number = "L1") =>
  agent.open("subscriptions/listen", { params: { notifications }, id });
const start = () => agent.start("echo", { prompt: "Hi" });

describe("a subscription to tasks", () => {
  it("is acknowledged first, shows each task as it is, then as it becomes, and ends with the last of them", async () => {
    const id = await start();
    await host.engine.becomes(id, "running");
    const stream = await listen({ taskIds: [id] });
    expect(await stream.next()).toEqual({
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { taskIds: [id] }, _meta: { [subscriptionId]: "L1" } },
    });
    const first = await stream.method("notifications/tasks");
    expect(first.params).toMatchObject({ taskId: id, status: "working", _meta: { [subscriptionId]: "L1" } });
    host.finish();
    const last = await stream.next(({ params }) => params?.status === "completed");
    expect(last.params.result).toEqual({ resultType: "complete", content: [{ type: "text", text: "one two three" }] });
    const end = await stream.answer();
    expect(end).toMatchObject({ id: "L1", result: { resultType: "complete", _meta: { [subscriptionId]: "L1" } } });
    await stream.end();
    expect(stream.messages.at(-1)).toBe(end);
  });

  it("has the id of its request in its own type", async () => {
    const id = await start();
    await using stream = await listen({ taskIds: [id] }, 7);
    expect((await stream.next()).params._meta).toEqual({ [subscriptionId]: 7 });
  });

  it("tells what its task asks, and that it was answered", async () => {
    const id = await agent.start("ask", { questions: [form] });
    const stream = await listen({ taskIds: [id] });
    const asked = await stream.next(({ params }) => params?.status === "input_required");
    const [key = ""] = Object.keys(asked.params.inputRequests);
    await agent.ask("tasks/update", { taskId: id, inputResponses: { [key]: { action: "decline" } } });
    await stream.next(({ params }) => params?.status === "completed");
    await stream.end();
    const shown = stream.messages.flatMap(({ params }) => (params?.taskId ? [JSON.stringify(params)] : []));
    expect(shown).toEqual([...new Set(shown)]);
  });

  it("tells how a task gets on, at most twice a second, and the last of it always", async () => {
    const id = await start();
    await host.engine.becomes(id, "running");
    await using stream = await listen({ taskIds: [id] });
    await stream.method("notifications/tasks");
    host.backend.release(1);
    await host.engine.until(() => host.engine.service.progress(host.newest).tokens === 1);
    host.engine.clock.advance(499);
    expect(stream.messages).toHaveLength(2);
    host.engine.clock.advance(1);
    const note = await stream.method("notifications/tasks");
    expect(note.params).toMatchObject({ status: "working", statusMessage: expect.stringMatching(/^1 token/) });
  });

  it("shows a task that has ended already, and ends", async () => {
    const id = await start();
    host.finish();
    await host.engine.becomes(id, "succeeded");
    const stream = await listen({ taskIds: [id, id] });
    await stream.end();
    expect(stream.messages.map(({ method }) => method)).toEqual([
      "notifications/subscriptions/acknowledged",
      "notifications/tasks",
      undefined,
    ]);
  });

  it("is told of a cancelled task once", async () => {
    const id = await start();
    await host.engine.becomes(id, "running");
    const stream = await listen({ taskIds: [id] });
    await agent.ask("tasks/cancel", { taskId: id });
    await stream.end();
    expect(stream.messages.filter(({ params }) => params?.status === "cancelled")).toHaveLength(1);
  });

  it("leaves out what is no task of the client, and says so by what it acknowledges", async () => {
    const [own, foreign] = [await start(), await host.agent(declared, "second").start("echo", { prompt: "Hi" })];
    await using stream = await listen({ taskIds: [foreign, own, "task_0"] });
    expect((await stream.next()).params.notifications).toEqual({ taskIds: [own] });
    host.finish();
    await host.engine.becomes(foreign, "succeeded");
    expect(stream.messages.filter(({ params }) => params?.taskId === foreign)).toEqual([]);
  });

  it("with nothing to tell is acknowledged and ends", async () => {
    const stream = await listen({ taskIds: ["task_0"] });
    await stream.end();
    expect(stream.messages.map(({ method }) => method)).toEqual([
      "notifications/subscriptions/acknowledged",
      undefined,
    ]);
    expect(stream.messages[0].params.notifications).toEqual({});
  });

  it("goes together with others, and then outlives its tasks", async () => {
    const id = await start();
    await using stream = await listen({ taskIds: [id], toolsListChanged: true });
    expect((await stream.next()).params.notifications).toEqual({ toolsListChanged: true, taskIds: [id] });
    host.finish();
    await stream.next(({ params }) => params?.status === "completed");
    expect(stream.ended).toBe(false);
  });

  it("is nothing that other subscriptions know of", async () => {
    await using stream = await listen({ toolsListChanged: true });
    expect((await stream.next()).params.notifications).toEqual({ toolsListChanged: true });
  });

  it("needs a request that declares tasks", async () => {
    const id = await start();
    const params = { notifications: { taskIds: [id] } };
    const response = await agent.post("subscriptions/listen", { params, capabilities: withForms });
    expect([response.status, (await response.json()).error.code]).toEqual([400, -32021]);
  });

  it("needs ids that are texts", async () => {
    const stream = await listen({ taskIds: "all" });
    expect((await stream.answer()).error.code).toBe(-32602);
  });

  it("is forgotten when its client leaves", async () => {
    const id = await start();
    const stream = await listen({ taskIds: [id] });
    await stream.method("notifications/tasks");
    await stream.drop();
    host.finish();
    await host.engine.becomes(id, "succeeded");
    expect(stream.messages.filter(({ params }) => params?.status === "completed")).toEqual([]);
  });
});
