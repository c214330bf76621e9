import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestModern } from "./test-modern";
import { type ModernAgent, withForms, withTasks } from "./test-modern-agent";

const everything = { ...withTasks, ...withForms, sampling: {}, roots: {} };
const form = {
  type: "form",
  message: "Which name?",
  schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
} as const;
const sampling = {
  type: "sampling",
  request: { messages: [{ role: "user", content: { type: "text", text: "?" } }], maxTokens: 100 },
} as const;
const roots = { type: "roots" } as const;
const ada = { action: "accept", content: { name: "Ada" } };

let host: TestModern;
let agent: ModernAgent;
beforeEach(async () => {
  host = await TestModern.start();
  agent = host.agent(everything);
});
afterEach(() => host[Symbol.asyncDispose]());

/** The id of a task that has asked all of this, and the ids of its questions in their order. */
async function asking(...questions: object[]): Promise<{ id: string; keys: string[] }> {
  const id = await agent.start("ask", { questions });
  await host.engine.until(() => host.open(id).length === questions.length);
  return { id, keys: host.open(id).map((question) => question.id) };
}

const update = (taskId: string, inputResponses: object) => agent.ask("tasks/update", { taskId, inputResponses });

describe("tasks/get", () => {
  it("shows every open question as the request that its client knows", async () => {
    const { id, keys } = await asking(form, sampling, roots);
    const [first = "", second = "", third = ""] = keys;
    expect(await agent.task(id)).toMatchObject({
      status: "input_required",
      inputRequests: {
        [first]: {
          method: "elicitation/create",
          params: { mode: "form", message: "Which name?", requestedSchema: form.schema },
        },
        [second]: { method: "sampling/createMessage", params: sampling.request },
        [third]: { method: "roots/list" },
      },
    });
  });

  it("shows only what this very request says it can answer", async () => {
    const { id, keys } = await asking(form, sampling);
    const seen = await agent.task(id, { capabilities: { ...withTasks, sampling: {} } });
    expect(Object.keys(seen.inputRequests)).toEqual([keys[1]]);
    expect(await agent.task(id, { capabilities: withTasks })).toMatchObject({
      status: "working",
      statusMessage: "waiting for the person at this desktop",
    });
  });

  it("shows a failure of the tool as a completed task, and one of Simmer as a failed one", async () => {
    const expected = await agent.start("ask", { questions: [form], to: "person" });
    await host.engine.becomes(expected, "failed");
    expect(await agent.task(expected)).toMatchObject({
      status: "completed",
      result: { isError: true, structuredContent: { code: "no_person" } },
    });
    const bug = await agent.start("ask", { questions: [null] });
    await host.engine.becomes(bug, "failed");
    expect(await agent.task(bug)).toMatchObject({ status: "failed", error: { code: -32603 } });
    expect(host.engine.bugs.splice(0)).toHaveLength(1);
  });

  it("answers for another client's task, and for none, in the same words", async () => {
    const id = await agent.start("echo", { prompt: "Hi" });
    const other = host.agent(withTasks, "second");
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const [foreign, none] = [await other.ask(method, { taskId: id }), await agent.ask(method, { taskId: "task_0" })];
      expect(foreign.error.code).toBe(-32602);
      expect(foreign.error).toEqual(none.error);
      expect(foreign.error.message).toMatch(/^Failed to \w+ task: Task not found$/);
    }
  });

  it("notes that the outcome was fetched", async () => {
    const id = await agent.start("echo", { prompt: "Hi" });
    await agent.task(id);
    expect(host.engine.audited.some(({ action }) => action === "retrieved")).toBe(false);
    host.finish();
    await host.engine.becomes(id, "succeeded");
    await agent.task(id);
    expect(host.engine.audited).toContainEqual(
      expect.objectContaining({ action: "retrieved", taskId: id, client: "local" }),
    );
  });
});

describe("tasks/update", () => {
  it("takes answers one by one, and the task goes on after the last", async () => {
    const { id, keys } = await asking(form, sampling, roots);
    const [first = "", second = "", third = ""] = keys;
    expect((await update(id, { [first]: ada })).result).toMatchObject({ resultType: "complete" });
    expect(Object.keys((await agent.task(id)).inputRequests)).toEqual([second, third]);
    const said = { role: "assistant", model: "m", content: { type: "text", text: "Paris" }, stopReason: "endTurn" };
    await update(id, { [second]: said, [third]: { roots: [{ uri: "file:///x" }] } });
    await host.engine.becomes(id, "succeeded");
    expect((await agent.task(id)).result.structuredContent).toEqual({
      answers: [
        ada,
        { action: "accept", content: said },
        { action: "accept", content: { roots: [{ uri: "file:///x" }] } },
      ],
    });
  });

  it("takes a refusal for an answer", async () => {
    const { id, keys } = await asking(form);
    await update(id, { [keys[0] ?? ""]: { action: "decline" } });
    await host.engine.becomes(id, "succeeded");
    expect((await agent.task(id)).result.structuredContent).toEqual({ answers: [{ action: "decline" }] });
  });

  it("ignores keys that it does not know and answers that came before, and says so by no word", async () => {
    const { id, keys } = await asking(form, roots);
    const [first = ""] = keys;
    const acks = [
      await update(id, { junk: ada }),
      await update(id, { [first]: ada }),
      await update(id, { [first]: { action: "cancel" } }),
      await agent.ask("tasks/update", { taskId: id }),
    ];
    for (const { result } of acks) expect(Object.keys(result).sort()).toEqual(["_meta", "resultType"]);
    expect(host.engine.store.questions(id)[0]?.answered?.answer).toEqual(ada);
  });

  it("refuses what is no answer, names the field, and keeps the question open; the other answers count", async () => {
    const { id, keys } = await asking(form, roots, form);
    const [first = "", second = "", third = ""] = keys;
    const { error } = await update(id, {
      [first]: { action: "accept", content: { name: 7 } },
      [second]: { roots: [] },
      [third]: { action: "perhaps" },
    });
    expect(error.code).toBe(-32602);
    expect(error.message).toContain(`inputResponses.${first}: name: `);
    expect(host.open(id).map((question) => question.id)).toEqual([first, third]);
  });

  it("is acknowledged when the task waits for no answer any more", async () => {
    const { id, keys } = await asking(form);
    await agent.ask("tasks/cancel", { taskId: id });
    await host.engine.becomes(id, "cancelled");
    expect((await update(id, { [keys[0] ?? ""]: ada })).result.resultType).toBe("complete");
    expect(host.open(id)).toHaveLength(1);
  });

  it("comes too late when the person at the window was faster", async () => {
    const { id, keys } = await asking(form);
    const [first = ""] = keys;
    host.engine.service.answer({ client: "desktop", says: null, seesAll: true }, {}, id, first, { action: "decline" });
    expect((await update(id, { [first]: ada })).result.resultType).toBe("complete");
    expect(host.engine.store.questions(id)[0]?.answered).toMatchObject({ by: "desktop" });
  });
});

describe("tasks/cancel", () => {
  it("is acknowledged whatever the task is, and stops the one that runs", async () => {
    const id = await agent.start("echo", { prompt: "Hi" });
    await host.engine.becomes(id, "running");
    const ack = await agent.ask("tasks/cancel", { taskId: id });
    expect(Object.keys(ack.result).sort()).toEqual(["_meta", "resultType"]);
    expect((await agent.task(id)).status).toBe("cancelled");
    await host.engine.becomes(id, "cancelled");
    expect((await agent.ask("tasks/cancel", { taskId: id })).result.resultType).toBe("complete");
  });

  it("leaves a task that has ended as it is", async () => {
    const id = await agent.start("echo", { prompt: "Hi" });
    host.finish();
    await host.engine.becomes(id, "succeeded");
    expect((await agent.ask("tasks/cancel", { taskId: id })).result.resultType).toBe("complete");
    expect((await agent.task(id)).status).toBe("completed");
  });

  it("shows the same from the moment of the cancel on", async () => {
    await using deaf = await TestModern.start({ model: { deaf: true, hold: ["tokens"], text: "a b" } });
    const client = deaf.agent(withTasks);
    const id = await client.start("echo", { prompt: "Hi" });
    await deaf.engine.becomes(id, "running");
    await client.ask("tasks/cancel", { taskId: id });
    const atOnce = await client.task(id);
    expect(deaf.engine.status(id)).toBe("cancelling");
    deaf.engine.clock.advance(1_000);
    deaf.finish();
    await deaf.engine.becomes(id, "cancelled");
    expect(await client.task(id)).toEqual(atOnce);
  });
});

describe("the methods of tasks", () => {
  it.each(["tasks/get", "tasks/update", "tasks/cancel"])(
    "%s needs a request that declares the extension",
    async (method) => {
      const taskId = await agent.start("echo", { prompt: "Hi" });
      const response = await agent.post(method, { params: { taskId }, capabilities: withForms });
      expect(response.status).toBe(400);
      expect((await response.json()).error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
      });
      expect(host.engine.status(taskId)).not.toBe("cancelled");
    },
  );

  it.each(["tasks/result", "tasks/list"])("%s is one of the generation before", async (method) => {
    const response = await agent.post(method, { params: { taskId: "task_0" } });
    expect([response.status, (await response.json()).error.code]).toEqual([404, -32601]);
  });

  it("need an id that is a text", async () => {
    for (const params of [{}, { taskId: 7 }])
      expect((await agent.ask("tasks/get", params, { headers: { "mcp-name": "7" } })).error.code).not.toBe(-32603);
  });

  it("show every listed task of the client, whichever face made it", async () => {
    const { id } = await host.engine.create({ caller: { client: "local", says: null } });
    host.finish();
    await host.engine.becomes(id, "succeeded");
    expect((await agent.task(id)).result).toEqual({
      resultType: "complete",
      content: [{ type: "text", text: "one two three" }],
    });
  });
});
