import { describe, expect, it } from "vitest";
import type { TestAgent } from "./test-agent";
import { TestLegacy } from "./test-legacy";
import type { Message, TestStream } from "./test-streams";

const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
const form = { type: "form", message: "Your name?", schema };
const sampling = { type: "sampling", request: { messages: [], maxTokens: 10 } };
const capabilities = {
  elicitation: {},
  sampling: {},
  tasks: { list: {}, cancel: {}, requests: { elicitation: { create: {} }, sampling: { createMessage: {} } } },
};
const person = { client: "desktop", says: null, seesAll: true } as const;
const time = { createdAt: "2025-11-25T10:30:00Z", lastUpdatedAt: "2025-11-25T10:30:00Z", ttl: null };
const told = (status: string, rest: object = {}) => ({ taskId: "c1", status, ...time, ...rest });

/** A task that has asked `question`, and the request that came for it on a stream that waits. */
async function asked(host: TestLegacy, agent: TestAgent, question: object) {
  const taskId = await agent.startTask("ask", { questions: [question] });
  await host.engine.becomes(taskId, "input_required");
  const waiting = await agent.open("tasks/result", { taskId });
  return { taskId, waiting, request: await waiting.next(({ id }) => id !== undefined) };
}

async function answers(stream: TestStream): Promise<Message> {
  return (await stream.answer()).result.structuredContent.answers;
}

describe("a question that the client may run as a task", () => {
  it("is answered by it: polled at its interval, then fetched", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities });
    const { waiting, request } = await asked(host, agent, form);
    expect(request).toMatchObject({ method: "elicitation/create", params: { task: {} } });
    await agent.respond(request.id, { task: told("working", { pollInterval: 3_000 }) });
    await agent.ask("ping");
    host.engine.clock.advance(2_999);
    await agent.ask("ping");
    expect(waiting.messages.filter(({ method }) => method === "tasks/get")).toEqual([]);
    host.engine.clock.advance(1);
    const first = await waiting.method("tasks/get");
    expect(first.params).toEqual({ taskId: "c1" });
    await agent.respond(first.id, told("working", { pollInterval: 200 }));
    await agent.ask("ping");
    host.engine.clock.advance(200);
    await agent.respond((await waiting.method("tasks/get")).id, told("completed"));
    const fetched = await waiting.method("tasks/result");
    expect(fetched.params).toEqual({ taskId: "c1" });
    await agent.respond(fetched.id, { action: "accept", content: { name: "Ada" } });
    expect(await answers(waiting)).toEqual([{ action: "accept", content: { name: "Ada" } }]);
    // 2025-11-25, Audit and Logging: a requestor logs the life cycle of the tasks that it asked for.
    expect(host.engine.audited.map(({ action, clientTask }) => [action, clientTask])).toEqual([
      ["created", undefined],
      ["asked", undefined],
      ["sent", undefined],
      ["client_task_created", "c1"],
      ["client_task_ended", "c1"],
      ["answered", undefined],
      ["ended", undefined],
      ["retrieved", undefined],
    ]);
  });

  it("may be answered at once all the same", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities });
    const { waiting, request } = await asked(host, agent, sampling);
    expect(request).toMatchObject({ method: "sampling/createMessage", params: { task: {}, maxTokens: 10 } });
    const text = { role: "assistant", model: "x", content: { type: "text", text: "Yes" } };
    await agent.respond(request.id, text);
    expect(await answers(waiting)).toEqual([{ action: "accept", content: text }]);
  });

  it("is a plain question to a client that declared tasks for other requests only", async () => {
    await using host = await TestLegacy.start();
    const tasks = { requests: { sampling: { createMessage: {} } } };
    const agent = await host.agent({ capabilities: { ...capabilities, tasks } });
    const { waiting, request } = await asked(host, agent, form);
    expect(request.params).not.toHaveProperty("task");
    await agent.respond(request.id, { action: "decline" });
    expect(await answers(waiting)).toEqual([{ action: "decline" }]);
  });

  it.each(["input_required", "completed", "failed"])(
    "is fetched at once when its task begins as %s",
    async (status) => {
      await using host = await TestLegacy.start();
      const agent = await host.agent({ capabilities });
      const { waiting, request } = await asked(host, agent, form);
      await agent.respond(request.id, { task: told(status) });
      await agent.respond((await waiting.method("tasks/result")).id, { action: "cancel" });
      expect(await answers(waiting)).toEqual([{ action: "cancel" }]);
    },
  );

  it("goes on when the streams are lost: polled on the next one of the same session, and not asked again", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities });
    const other = await host.agent({ capabilities });
    await using elsewhere = await other.listen();
    const { taskId, waiting, request } = await asked(host, agent, form);
    await agent.respond(request.id, { task: told("working") });
    await agent.ask("ping");
    host.engine.clock.advance(1_000);
    await waiting.method("tasks/get");
    await waiting.drop();
    await using get = await agent.listen();
    await agent.respond((await get.method("tasks/get")).id, told("completed"));
    await get.method("tasks/result");
    await get.drop();
    await using again = await agent.open("tasks/result", { taskId });
    await agent.respond((await again.method("tasks/result")).id, { action: "decline" });
    expect(await answers(again)).toEqual([{ action: "decline" }]);
    for (const stream of [elsewhere, get, again])
      expect(stream.messages.filter(({ method }) => method === "elicitation/create")).toEqual([]);
    expect(host.logged).toEqual([]);
  });

  it("is cancelled as a task when somebody else answers", async () => {
    await using host = await TestLegacy.start();
    host.engine.service.attachPerson();
    const agent = await host.agent({ capabilities });
    const { taskId, waiting, request } = await asked(host, agent, form);
    await agent.respond(request.id, { task: told("working") });
    await agent.ask("ping");
    const [question] = host.engine.service.questions(person, {}, taskId);
    host.engine.service.answer(person, {}, taskId, String(question?.id), { action: "decline" });
    const cancel = await waiting.method("tasks/cancel");
    expect(cancel.params).toEqual({ taskId: "c1" });
    expect(await answers(waiting)).toEqual([{ action: "decline" }]);
    await agent.refuse(cancel.id, -32_602, "Cannot cancel task");
    expect(host.logged).toEqual([]);
  });

  it.each([
    ["cancels its task", told("cancelled"), undefined],
    ["fails with an error of the protocol", told("failed"), [-32_603, "no result stored"]],
  ] as const)("counts as refused when the client %s", async (_how, task, error) => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities });
    const { waiting, request } = await asked(host, agent, form);
    await agent.respond(request.id, { task });
    if (error !== undefined) await agent.refuse((await waiting.method("tasks/result")).id, error[0], error[1]);
    expect(await answers(waiting)).toEqual([{ action: "cancel" }]);
  });

  it("counts as refused when the client does not know its own task any more", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities });
    const { waiting, request } = await asked(host, agent, form);
    await agent.respond(request.id, { task: told("working") });
    await agent.ask("ping");
    host.engine.clock.advance(1_000);
    await agent.refuse((await waiting.method("tasks/get")).id, -32_602, "Task not found");
    expect(await answers(waiting)).toEqual([{ action: "cancel" }]);
  });

  it("is asked of the next session when that of the task ends", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ capabilities });
    const next = await host.agent({ capabilities });
    const { taskId, waiting, request } = await asked(host, agent, form);
    await agent.respond(request.id, { task: told("working") });
    await agent.ask("ping");
    await agent.http("DELETE");
    await waiting.end();
    await using again = await next.open("tasks/result", { taskId });
    host.engine.clock.advance(1_000);
    const asking = await again.method("elicitation/create");
    await next.respond(asking.id, { action: "decline" });
    expect(await answers(again)).toEqual([{ action: "decline" }]);
    expect(host.logged).toEqual([]);
  });
});
