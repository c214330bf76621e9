import { describe, expect, it } from "vitest";
import type { TestAgent } from "./test-agent";
import { TestLegacy } from "./test-legacy";
import type { TestStream } from "./test-streams";

const related = "io.modelcontextprotocol/related-task";
const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
const form = { type: "form", message: "Your name?", schema };
const sampling = { type: "sampling", request: { messages: [], maxTokens: 10 } };
const roots = { type: "roots" };
const all = { elicitation: {}, sampling: {}, roots: {} };
const person = { client: "desktop", says: null, seesAll: true } as const;

async function asked(host: TestLegacy, agent: TestAgent, ...questions: object[]): Promise<string> {
  const taskId = await agent.startTask("ask", { questions });
  await host.engine.becomes(taskId, "input_required");
  return taskId;
}

async function answersOf(agent: TestAgent, taskId: string): Promise<unknown[]> {
  return (await agent.ask("tasks/result", { taskId })).result.structuredContent.answers;
}

function requests(stream: TestStream): string[] {
  return stream.messages
    .filter(({ method, id }) => method !== undefined && id !== undefined)
    .map(({ method }) => method);
}

describe("a question to the agent", () => {
  it("is seen as input_required, and comes at once on a stream that waits for the task", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities: all });
    await using get = await agent.listen();
    const taskId = await asked(host, agent, form);
    expect(await agent.task(taskId)).toMatchObject({
      status: "input_required",
      statusMessage: "waiting for an answer",
    });
    await using waiting = await agent.open("tasks/result", { taskId });
    const request = await waiting.method("elicitation/create");
    expect(request.params).toEqual({
      mode: "form",
      message: "Your name?",
      requestedSchema: schema,
      _meta: { [related]: { taskId } },
    });
    host.engine.clock.advance(10_000);
    await agent.respond(request.id, { action: "accept", content: { name: "Ada" } });
    const answer = await waiting.answer();
    expect(answer.result.structuredContent.answers).toEqual([{ action: "accept", content: { name: "Ada" } }]);
    expect(requests(get)).toEqual([]);
    await get.next(({ params }) => params?.status === "completed");
    const told = get.messages.filter(({ method }) => method === "notifications/tasks/status");
    expect(told.map(({ params }) => params.status)).toEqual(["input_required", "working", "completed"]);
  });

  it.each([
    [sampling, "sampling/createMessage", { role: "assistant", model: "x", content: { type: "text", text: "Yes" } }],
    [roots, "roots/list", { roots: [{ uri: "file:///a" }] }],
  ])("can be any that its client declared: %j", async (question, method, result) => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities: all });
    const taskId = await asked(host, agent, question);
    await using waiting = await agent.open("tasks/result", { taskId });
    const request = await waiting.method(method);
    expect(request.params._meta).toEqual({ [related]: { taskId } });
    await agent.respond(request.id, result);
    expect((await waiting.answer()).result.structuredContent.answers).toEqual([{ action: "accept", content: result }]);
  });

  it("comes on the GET stream when no stream waits for the task", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities: all });
    await using get = await agent.listen();
    const taskId = await asked(host, agent, form);
    host.engine.clock.advance(1_499);
    await agent.ask("ping");
    expect(requests(get)).toEqual([]);
    host.engine.clock.advance(1);
    const request = await get.method("elicitation/create");
    expect(request.params._meta).toEqual({ [related]: { taskId } });
    await using waiting = await agent.open("tasks/result", { taskId });
    await agent.respond(request.id, { action: "decline" });
    expect((await waiting.answer()).result.structuredContent.answers).toEqual([{ action: "decline" }]);
    expect(requests(waiting)).toEqual([]);
  });

  it("waits for a GET stream that opens later, of a session that declared that it can answer", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities: { elicitation: {} } });
    const mute = await host.agent();
    const stranger = await host.agent({ token: "second", capabilities: all });
    await using silent = await mute.listen();
    await using foreign = await stranger.listen();
    const taskId = await asked(host, agent, form);
    expect((await mute.task(taskId)).status).toBe("working");
    host.engine.clock.advance(60_000);
    await using get = await agent.listen();
    const request = await get.method("elicitation/create");
    await agent.respond(request.id, { action: "cancel" });
    expect(await answersOf(agent, taskId)).toEqual([{ action: "cancel" }]);
    for (const stream of [silent, foreign]) expect(requests(stream)).toEqual([]);
  });

  it("is asked again by a new request when its stream is lost, and an answer to the old one counts still", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities: all });
    const taskId = await asked(host, agent, form);
    const first = await agent.open("tasks/result", { taskId });
    const lost = await first.method("elicitation/create");
    await first.drop();
    await using second = await agent.open("tasks/result", { taskId });
    const again = await second.method("elicitation/create");
    expect(again.params).toEqual(lost.params);
    expect(again.id).not.toBe(lost.id);
    await agent.respond(lost.id, { action: "accept", content: { name: "Old" } });
    const cancelled = await second.method("notifications/cancelled");
    expect(cancelled.params.requestId).toBe(again.id);
    expect((await second.answer()).result.structuredContent.answers).toEqual([
      { action: "accept", content: { name: "Old" } },
    ]);
    expect(host.logged).toEqual([]);
  });

  it("moves from a lost GET stream to a waiting one, and back", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities: all });
    const get = await agent.listen();
    const taskId = await asked(host, agent, form);
    host.engine.clock.advance(1_500);
    await get.method("elicitation/create");
    await get.drop();
    const waiting = await agent.open("tasks/result", { taskId });
    await waiting.method("elicitation/create");
    await waiting.drop();
    await using last = await agent.listen();
    await agent.ask("ping");
    host.engine.clock.advance(1_500);
    const request = await last.method("elicitation/create");
    await agent.respond(request.id, { action: "decline" });
    expect(await answersOf(agent, taskId)).toEqual([{ action: "decline" }]);
  });

  it("survives its session: the next one of the same client is asked", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities: all });
    const taskId = await asked(host, agent, form);
    const waiting = await agent.open("tasks/result", { taskId });
    await waiting.method("elicitation/create");
    await agent.http("DELETE");
    await waiting.end();
    const next = await host.agent({ capabilities: all });
    await using again = await next.open("tasks/result", { taskId });
    const request = await again.method("elicitation/create");
    await next.respond(request.id, { action: "accept", content: { name: "Ada" } });
    expect((await again.answer()).result.structuredContent.answers).toHaveLength(1);
    expect(host.logged).toEqual([]);
  });

  it("is withdrawn when the person at the window answers, on the same stream", async () => {
    await using host = await TestLegacy.start();
    host.engine.service.attachPerson();
    const agent = await host.agent({ capabilities: all });
    const taskId = await asked(host, agent, form);
    await using waiting = await agent.open("tasks/result", { taskId });
    const request = await waiting.method("elicitation/create");
    const [question] = host.engine.service.questions(person, {}, taskId);
    host.engine.service.answer(person, {}, taskId, String(question?.id), { action: "decline" });
    const withdrawn = await waiting.method("notifications/cancelled");
    expect(withdrawn.params).toMatchObject({ requestId: request.id, reason: expect.stringContaining("desktop") });
    expect((await waiting.answer()).result.structuredContent.answers).toEqual([{ action: "decline" }]);
    await agent.respond(request.id, { action: "accept", content: { name: "Late" } });
    expect(host.logged).toEqual([]);
  });

  it("is withdrawn when its task is cancelled", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities: all });
    const taskId = await asked(host, agent, form);
    await using waiting = await agent.open("tasks/result", { taskId });
    const request = await waiting.method("elicitation/create");
    await agent.ask("tasks/cancel", { taskId });
    expect((await waiting.method("notifications/cancelled")).params.requestId).toBe(request.id);
    expect((await waiting.answer()).error.code).toBe(-32_603);
  });

  it("stays open after an answer that does not fit, and is asked again with the reason", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities: all });
    const taskId = await asked(host, agent, form);
    await using waiting = await agent.open("tasks/result", { taskId });
    const first = await waiting.method("elicitation/create");
    await agent.respond(first.id, { action: "accept", content: { name: 5 } });
    const second = await waiting.method("elicitation/create");
    expect(second.params.message).toMatch(/^Your name\?\n\nThe last answer could not be used: name: /);
    expect((await agent.task(taskId)).status).toBe("input_required");
    await agent.respond(second.id, { nonsense: true });
    const third = await waiting.method("elicitation/create");
    await agent.respond(third.id, { action: "accept", content: { name: "Ada" } });
    expect((await waiting.answer()).result.structuredContent.answers).toHaveLength(1);
  });

  it("is dismissed when its only answerer gives nothing but answers that do not fit", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities: all });
    const taskId = await asked(host, agent, form);
    await using waiting = await agent.open("tasks/result", { taskId });
    for (let count = 0; count < 3; count += 1)
      await agent.respond((await waiting.method("elicitation/create")).id, { action: "accept", content: {} });
    expect((await waiting.answer()).result.structuredContent.answers).toEqual([{ action: "cancel" }]);
  });

  it("is not dismissed when its task was made by another protocol's call: its caller may answer there", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities: all });
    await using get = await agent.listen();
    const { id } = await host.engine.create({
      caller: { client: "local", says: null },
      origin: "mcp",
      job: "ask",
      input: { questions: [form] },
      unnamedModel: "none",
      answers: ["form"],
    });
    await host.engine.becomes(id, "input_required");
    host.engine.clock.advance(1_500);
    await agent.refuse((await get.method("elicitation/create")).id, -32_601, "Method not found");
    await agent.ask("ping");
    expect((await agent.task(id)).status).toBe("input_required");
  });

  it("is left to the person at the window when the agent refuses it", async () => {
    await using host = await TestLegacy.start();
    host.engine.service.attachPerson();
    const agent = await host.agent({ capabilities: all });
    const taskId = await asked(host, agent, form);
    await using waiting = await agent.open("tasks/result", { taskId });
    await agent.refuse((await waiting.method("elicitation/create")).id, -32_601, "Method not found");
    await using again = await agent.open("tasks/result", { taskId });
    host.engine.clock.advance(60_000);
    const [question] = host.engine.service.questions(person, {}, taskId);
    expect(question?.answered).toBeNull();
    host.engine.service.answer(person, {}, taskId, String(question?.id), { action: "accept", content: { name: "P" } });
    expect((await again.answer()).result.structuredContent.answers).toEqual([
      { action: "accept", content: { name: "P" } },
    ]);
    expect([requests(waiting), requests(again)]).toEqual([["elicitation/create"], []]);
  });

  it("is not for the caller when it is meant for the person: the task works on", async () => {
    await using host = await TestLegacy.start();
    host.engine.service.attachPerson();
    const agent = await host.agent({ capabilities: all });
    const taskId = await agent.startTask("ask", { questions: [form], to: "person" });
    await host.engine.becomes(taskId, "input_required");
    expect(await agent.task(taskId)).toMatchObject({
      status: "working",
      statusMessage: "waiting for the person at this desktop",
    });
    await using waiting = await agent.open("tasks/result", { taskId });
    host.engine.clock.advance(60_000);
    await agent.ask("ping");
    expect(requests(waiting)).toEqual([]);
  });

  it("is one of several, each of them asked once at a time", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities: all });
    const taskId = await asked(host, agent, form, { ...form, message: "Your town?" });
    await using waiting = await agent.open("tasks/result", { taskId });
    await using other = await agent.open("tasks/result", { taskId });
    const first = await waiting.method("elicitation/create");
    const second = await waiting.method("elicitation/create");
    expect(new Set([first.params.message, second.params.message])).toEqual(new Set(["Your name?", "Your town?"]));
    await agent.respond(first.id, { action: "accept", content: { name: "Ada" } });
    expect((await agent.task(taskId)).status).toBe("input_required");
    await agent.respond(second.id, { action: "accept", content: { name: "Rome" } });
    for (const stream of [waiting, other])
      expect((await stream.answer()).result.structuredContent.answers).toHaveLength(2);
    expect(requests(other)).toEqual([]);
  });
});

describe("a question of a plain call", () => {
  it("comes on the call's own stream, of a task that nobody can see", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities: all, protocolVersion: "2025-06-18" });
    await using get = await agent.listen();
    await using stream = await agent.open("tools/call", { name: "ask", arguments: { questions: [form] } });
    const request = await stream.method("elicitation/create");
    expect(request.params).not.toHaveProperty("_meta");
    await agent.respond(request.id, { action: "accept", content: { name: "Ada" } });
    expect((await stream.answer()).result.structuredContent.answers).toHaveLength(1);
    expect(requests(get)).toEqual([]);
  });

  it("is dismissed when the caller refuses it, whatever other sessions its client has", async () => {
    await using host = await TestLegacy.start();
    const other = await host.agent({ capabilities: all });
    const agent = await host.agent({ capabilities: all });
    await using get = await other.listen();
    await using stream = await agent.open("tools/call", { name: "ask", arguments: { questions: [form] } });
    await agent.refuse((await stream.method("elicitation/create")).id, -32_601, "Method not found");
    expect((await stream.answer()).result.structuredContent.answers).toEqual([{ action: "cancel" }]);
    expect(requests(get)).toEqual([]);
  });

  it("is asked of no other session of its client, also while the person may still answer", async () => {
    await using host = await TestLegacy.start();
    host.engine.service.attachPerson();
    const other = await host.agent({ capabilities: all });
    const agent = await host.agent({ capabilities: all });
    await using get = await other.listen();
    await using stream = await agent.open("tools/call", { name: "ask", arguments: { questions: [form] } });
    await agent.refuse((await stream.method("elicitation/create")).id, -32_601, "Method not found");
    await agent.ask("ping");
    host.engine.clock.advance(60_000);
    await other.ask("ping");
    const taskId = String(host.engine.store.unfinished()[0]?.id);
    const [question] = host.engine.service.questions(person, {}, taskId);
    host.engine.service.answer(person, {}, taskId, String(question?.id), { action: "decline" });
    expect((await stream.answer()).result.structuredContent.answers).toEqual([{ action: "decline" }]);
    expect(requests(get)).toEqual([]);
  });

  it("fails when nobody can be asked, and says so", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const answer = await agent.ask("tools/call", { name: "ask", arguments: { questions: [form] } });
    expect(answer.result).toMatchObject({ isError: true, structuredContent: { code: "nobody_to_ask" } });
  });

  it("is withdrawn with its call when the caller leaves", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities: all });
    await using get = await agent.listen();
    const stream = await agent.open("tools/call", { name: "ask", arguments: { questions: [form] } });
    await stream.method("elicitation/create");
    const id = String(host.engine.store.unfinished()[0]?.id);
    await stream.drop();
    await host.engine.becomes(id, "cancelled");
    host.engine.clock.advance(60_000);
    expect(requests(get)).toEqual([]);
    expect(host.logged).toEqual([]);
  });
});
