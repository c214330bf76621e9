import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestModern } from "./test-modern";
import { type ModernAgent, withForms, withTasks } from "./test-modern-agent";

const form = {
  type: "form",
  message: "Which name?",
  schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};
const ada = { action: "accept", content: { name: "Ada" } };
const invalidState = { code: -32602, message: expect.stringContaining("requestState") };

let host: TestModern;
let agent: ModernAgent;
beforeEach(async () => {
  host = await TestModern.start();
  agent = host.agent(withForms);
});
afterEach(() => host[Symbol.asyncDispose]());

const ask = (more: object = {}, ...questions: object[]) =>
  agent.call("ask", { questions: questions.length > 0 ? questions : [form] }, more);

/** A call that has been asked one thing: the key of the question, and the state to come back with. */
async function asked() {
  const { result } = await ask();
  const [key = ""] = Object.keys(result.inputRequests);
  return { key, requestState: result.requestState, task: host.newest.id };
}

describe("a plain call whose task asks something", () => {
  it("is answered by the question, and called again with the answer it goes on with the same task", async () => {
    const { result } = await ask();
    const [key = ""] = Object.keys(result.inputRequests);
    expect(result).toMatchObject({
      resultType: "input_required",
      inputRequests: { [key]: { method: "elicitation/create", params: { message: "Which name?" } } },
      requestState: expect.any(String),
    });
    const { id } = host.newest;
    const retry = await ask({ requestState: result.requestState, inputResponses: { [key]: ada } });
    expect(retry.result).toMatchObject({ resultType: "complete", structuredContent: { answers: [ada] } });
    expect(host.newest.id).toBe(id);
  });

  it("asks everything at once that its task asks at once", async () => {
    const { result } = await ask({}, form, form, form);
    expect(Object.keys(result.inputRequests)).toHaveLength(3);
  });

  it("is asked again for what it does not answer", async () => {
    const { result } = await ask({}, form, form);
    const [first = "", second = ""] = Object.keys(result.inputRequests);
    const again = await ask({ requestState: result.requestState, inputResponses: { [first]: ada } });
    expect(again.result.resultType).toBe("input_required");
    expect(Object.keys(again.result.inputRequests)).toEqual([second]);
    const last = await ask({ requestState: again.result.requestState, inputResponses: { [second]: ada } });
    expect(last.result.structuredContent).toEqual({ answers: [ada, ada] });
  });

  it("is told which field of its answer is wrong, and can mend it", async () => {
    const { key, requestState } = await asked();
    const wrong = { [key]: { action: "accept", content: {} } };
    const { error } = await ask({ requestState, inputResponses: wrong });
    expect(error.code).toBe(-32602);
    expect(error.message).toContain(`inputResponses.${key}: name: `);
    const { result } = await ask({ requestState, inputResponses: { [key]: ada } });
    expect(result.structuredContent).toEqual({ answers: [ada] });
  });

  it("waits for the person at the window where its client cannot answer", async () => {
    const release = host.engine.service.attachPerson();
    const answer = host.agent().call("ask", { questions: [form] });
    await host.engine.until(() => host.engine.store.tasks({ limit: 1 })[0]?.status === "input_required");
    const { id } = host.newest;
    const [question] = host.open(id);
    const person = { client: "desktop", says: null, seesAll: true } as const;
    host.engine.service.answer(person, {}, id, question?.id ?? "", { action: "decline" });
    expect((await answer).result.structuredContent).toEqual({ answers: [{ action: "decline" }] });
    release();
  });

  it("ends with the reason when there is nobody to ask", async () => {
    const { result } = await host.agent().call("ask", { questions: [form] });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: "nobody_to_ask" } });
  });

  it("is cancelled when its client does not come back, and tells so one that comes later", async () => {
    const { key, requestState, task } = await asked();
    host.engine.clock.advance(599_999);
    expect(host.engine.status(task)).toBe("input_required");
    host.engine.clock.advance(1);
    await host.engine.becomes(task, "cancelled");
    expect(host.newest.outcome).toEqual({ kind: "cancelled", reason: "its caller did not come back" });
    const late = await ask({ requestState, inputResponses: { [key]: ada } });
    expect(late.error).toMatchObject({ code: -32603, message: "Task was cancelled" });
  });

  it("is kept while its client is back, however long that takes", async () => {
    const { requestState, task } = await asked();
    await host.engine.service.attachPerson();
    host.engine.clock.advance(500_000);
    await ask({ requestState });
    host.engine.clock.advance(500_000);
    expect(host.engine.status(task)).toBe("input_required");
  });
});

describe("the state of a plain call", () => {
  it("that was changed, or made up, is refused", async () => {
    const { key, requestState } = await asked();
    const changed = requestState.replace(/.$/, (last: string) => (last === "A" ? "Q" : "A"));
    for (const state of [changed, "v1.e30.AAAA", "", requestState.slice(0, -10)]) {
      const { error } = await ask({ requestState: state, inputResponses: { [key]: ada } });
      expect(error).toMatchObject(invalidState);
    }
    expect(host.open(host.newest.id)).toHaveLength(1);
  });

  it("is worth nothing to another client, nor for another tool", async () => {
    const { key, requestState } = await asked();
    const inputResponses = { [key]: ada };
    const thief = host.agent(withForms, "second");
    expect((await thief.call("ask", { questions: [form] }, { requestState, inputResponses })).error).toMatchObject(
      invalidState,
    );
    expect((await agent.call("echo", { prompt: "Hi" }, { requestState, inputResponses })).error).toMatchObject(
      invalidState,
    );
    expect(host.open(host.newest.id)).toHaveLength(1);
  });

  it("does not tell the id of the task in a way that a call could use", async () => {
    const { task } = await asked();
    const seen = await host.agent({ ...withTasks, ...withForms }).ask("tasks/get", { taskId: task });
    expect(seen.error.code).toBe(-32602);
  });
});
