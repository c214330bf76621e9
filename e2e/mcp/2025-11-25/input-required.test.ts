import { describe, expect } from "vitest";
import type { RawClientOptions } from "../raw-client";
import { it } from "../test";
import { relatedTaskOf, textOf } from "../wire";

const forms = { capabilities: { elicitation: {} } } satisfies Partial<RawClientOptions>;
const accepted = (name: string) => ({ action: "accept", content: { name } });

describe("input (Input Required Status)", () => {
  it("a task that needs its requestor moves to input_required", async ({ host }) => {
    const client = await host.client(forms);
    const taskId = await client.start("ask", { label: "a" });
    const task = await client.until(taskId, "input_required");
    expect(task.statusMessage).toMatch(/answer/);
    expect(task.pollInterval).toEqual(expect.any(Number));
  });

  // Case 4 (a), case B80.
  it("a client that calls tasks/result is asked on that very stream", async ({ host }) => {
    const client = await host.client({ ...forms, listen: true });
    const taskId = await client.start("ask", { label: "a" });
    await client.until(taskId, "input_required");
    const outcome = client.outcome(taskId);
    const asked = await client.next("elicitation/create");
    expect(asked.on).toBe("tasks/result");
    await client.answer(asked.id, accepted("Ada"));
    host.desk.open("a");
    expect(textOf(await outcome)).toContain("Ada");
    expect(client.receivedOf("elicitation/create")).toHaveLength(1);
  });

  // Case 4 (b): some clients never call tasks/result before the end.
  it("a client that only polls is asked on its GET stream", async ({ host }) => {
    const client = await host.client({ ...forms, listen: true });
    const taskId = await client.start("ask", { label: "a" });
    const asked = await client.next("elicitation/create");
    expect(asked.on).toBe("GET");
    await client.answer(asked.id, accepted("Ada"));
    host.desk.open("a");
    await client.until(taskId, "completed");
    expect(textOf(await client.outcome(taskId))).toContain("Ada");
    expect(client.receivedOf("elicitation/create")).toHaveLength(1);
  });

  // Case B80.
  it("a client that polled through input_required is still asked when it calls tasks/result later", async ({
    host,
  }) => {
    const client = await host.client(forms);
    const taskId = await client.start("ask", { label: "a" });
    await client.until(taskId, "input_required");
    for (let times = 0; times < 5; times += 1) await client.task(taskId);
    const outcome = client.outcome(taskId);
    const asked = await client.next("elicitation/create");
    expect(relatedTaskOf(asked.params)).toBe(taskId);
    await client.answer(asked.id, accepted("Ada"));
    host.desk.open("a");
    expect(textOf(await outcome)).toContain("Ada");
  });

  it("a question is asked on one stream only, however many are open", async ({ host }) => {
    const client = await host.client({ ...forms, listen: true });
    const taskId = await client.start("ask", { label: "a" });
    await client.until(taskId, "input_required");
    const outcomes = [client.outcome(taskId), client.outcome(taskId), client.outcome(taskId)];
    const asked = await client.next("elicitation/create");
    await client.answer(asked.id, accepted("Ada"));
    host.desk.open("a");
    for (const outcome of await Promise.all(outcomes)) expect(textOf(outcome)).toContain("Ada");
    expect(client.receivedOf("elicitation/create")).toHaveLength(1);
  });

  it("a question whose stream dropped is asked again, under a new id", async ({ host }) => {
    const client = await host.client(forms);
    const taskId = await client.start("ask", { label: "a" });
    const leaving = new AbortController();
    const dropped = client.request("tasks/result", { taskId }, leaving.signal).catch(() => undefined);
    const first = await client.next("elicitation/create");
    leaving.abort();
    await dropped;
    const outcome = client.outcome(taskId);
    const second = await client.next("elicitation/create", ({ id }) => id !== first.id);
    expect(second.params).toEqual(first.params);
    await client.answer(second.id, accepted("Ada"));
    host.desk.open("a");
    expect(textOf(await outcome)).toContain("Ada");
  });

  it("a task leaves input_required for working when it has all the input that it needs", async ({ host }) => {
    const client = await host.client(forms);
    const taskId = await client.start("ask", { label: "a", questions: 2 });
    const outcome = client.outcome(taskId);
    const first = await client.next("elicitation/create");
    const second = await client.next("elicitation/create", ({ id }) => id !== first.id);
    await client.answer(first.id, accepted("Ada"));
    await host.eventually(() => host.questions(taskId).some(({ answered }) => answered !== null));
    expect((await client.task(taskId)).status).toBe("input_required");
    await client.answer(second.id, accepted("Grace"));
    await client.until(taskId, "working");
    host.desk.open("a");
    expect(textOf(await outcome)).toMatch(/Ada.*Grace|Grace.*Ada/);
  });

  it.for(["decline", "cancel"])("to %s is an answer too", async (action, { host }) => {
    const client = await host.client({ ...forms, handlers: { "elicitation/create": () => ({ action }) } });
    host.desk.open("a");
    const outcome = await client.outcome(await client.start("ask", { label: "a" }));
    expect(textOf(outcome)).toContain(action);
  });

  it("an answer that does not fit the form leaves the question open", async ({ host }) => {
    const client = await host.client(forms);
    const taskId = await client.start("ask", { label: "a" });
    const outcome = client.outcome(taskId);
    const asked = await client.next("elicitation/create");
    await client.answer(asked.id, { action: "accept", content: { name: 7 } });
    const again = await client.next("elicitation/create", ({ id }) => id !== asked.id);
    expect((await client.task(taskId)).status).toBe("input_required");
    await client.answer(again.id, accepted("Ada"));
    host.desk.open("a");
    expect(textOf(await outcome)).toContain("Ada");
  });

  it("the person at the window may answer first: the task goes on and nothing waits for the client", async ({
    host,
  }) => {
    const client = await host.client(forms);
    const taskId = await client.start("ask", { label: "a" });
    const outcome = client.outcome(taskId);
    await client.next("elicitation/create");
    host.answerAtTheDesktop(taskId, { name: "Ada" });
    await client.until(taskId, "working");
    host.desk.open("a");
    expect(textOf(await outcome)).toContain("Ada");
  });

  // Case B91.
  it("a task that is cancelled while it asks leaves its tool usable", async ({ host }) => {
    const client = await host.client(forms);
    const first = await client.start("ask", { label: "a" });
    const waiting = client.error("tasks/result", { taskId: first });
    const asked = await client.next("elicitation/create");
    expect((await client.cancel(first)).status).toBe("cancelled");
    expect((await waiting).code).toBe(-32603);
    // A late answer is no longer of any use, and harms nothing.
    await client.answer(asked.id, accepted("late"));
    const second = await client.start("ask", { label: "a" });
    const outcome = client.outcome(second);
    const again = await client.next("elicitation/create", ({ params }) => relatedTaskOf(params) === second);
    await client.answer(again.id, accepted("Ada"));
    host.desk.open("a");
    expect(textOf(await outcome)).toContain("Ada");
    expect((await client.task(first)).status).toBe("cancelled");
  });

  // Case B92.
  it("a client that cannot be asked never waits in silence: its task fails at once, and says why", async ({
    client,
  }) => {
    const taskId = await client.start("ask", { label: "a" });
    const outcome = await client.outcome(taskId);
    expect(outcome).toMatchObject({ isError: true, structuredContent: { code: "nobody_to_ask" } });
    expect((await client.task(taskId)).statusMessage).toEqual(expect.stringMatching(/\w/));
    expect(client.receivedOf("elicitation/create")).toEqual([]);
  });

  it("with a person at the window, a client that cannot be asked sees its task working", async ({ host, client }) => {
    using _person = disposable(host.service.attachPerson());
    const taskId = await client.start("ask", { label: "a" });
    await host.eventually(() => host.questions(taskId).length === 1);
    expect(await client.task(taskId)).toMatchObject({
      status: "working",
      statusMessage: "waiting for the person at this desktop",
    });
    const outcome = client.outcome(taskId);
    host.answerAtTheDesktop(taskId, { name: "Ada" });
    host.desk.open("a");
    expect(textOf(await outcome)).toContain("Ada");
    expect(client.receivedOf("elicitation/create")).toEqual([]);
  });

  it("ask_person asks the window only, never its caller", async ({ host }) => {
    const client = await host.client({ ...forms, listen: true });
    const nobody = await client.outcome(await client.start("ask_person", { question: "Who are you?" }));
    expect(nobody).toMatchObject({ isError: true, structuredContent: { code: "no_person" } });
    using _person = disposable(host.service.attachPerson());
    const taskId = await client.start("ask_person", { question: "Who are you?" });
    await host.eventually(() => host.questions(taskId).length === 1);
    expect((await client.task(taskId)).status).toBe("working");
    const outcome = client.outcome(taskId);
    host.answerAtTheDesktop(taskId, { answer: "Ada" });
    expect((await outcome).structuredContent).toMatchObject({ action: "accept" });
    expect(client.receivedOf("elicitation/create")).toEqual([]);
  });

  it("a plain call that needs input asks on its own stream", async ({ host }) => {
    const client = await host.client({ ...forms, listen: true });
    const call = client.call("ask", { label: "a" });
    const asked = await client.next("elicitation/create");
    expect(asked.on).toBe("tools/call");
    await client.answer(asked.id, accepted("Ada"));
    host.desk.open("a");
    expect(textOf(await call)).toContain("Ada");
  });
});

function disposable(dispose: () => void): Disposable {
  return { [Symbol.dispose]: dispose };
}
