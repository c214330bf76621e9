import { describe, expect } from "vitest";
import { it } from "../test";
import { relatedTaskOf } from "../wire";

describe("retrieving results (Result Retrieval)", () => {
  it("the result has the structure of the request that the task wraps", async ({ host, client }) => {
    host.backend.release(14);
    const args = { prompt: "Write.", model: "held" };
    const plain = await client.call("generate", args);
    const { _meta, ...outcome } = await client.outcome(await client.start("generate", args));
    expect(outcome).toEqual(plain);
  });

  it("a result with structure is the same as a task", async ({ client }) => {
    const args = { template: "Say {{input}}.", inputs: ["one", "two"] };
    const plain = await client.call("batch", args);
    expect(plain.structuredContent).toMatchObject({
      items: [
        { index: 0, ok: true },
        { index: 1, ok: true },
      ],
    });
    const { _meta, ...outcome } = await client.outcome(await client.start("batch", args));
    expect(outcome).toEqual(plain);
  });

  it("tasks/result of a task that works waits until the task has ended", async ({ host, client }) => {
    const taskId = await client.start("hold", { label: "a" });
    let answered = false;
    const outcome = client.outcome(taskId).finally(() => {
      answered = true;
    });
    await host.eventually(() => host.desk.runs("a") === 1);
    for (let times = 0; times < 10; times += 1) await client.task(taskId);
    expect(answered).toBe(false);
    host.desk.open("a");
    expect((await outcome).content[0]?.text).toBe("a");
    expect((await client.task(taskId)).status).toBe("completed");
  });

  it("tasks/result of a task that needs input waits until the task has ended", async ({ host }) => {
    const client = await host.client({ capabilities: { elicitation: {} } });
    const taskId = await client.start("ask", { label: "a" });
    await client.until(taskId, "input_required");
    let answered = false;
    const outcome = client.outcome(taskId).finally(() => {
      answered = true;
    });
    const asked = await client.next("elicitation/create");
    for (let times = 0; times < 10; times += 1) await client.task(taskId);
    expect(answered).toBe(false);
    host.desk.open("a");
    await client.answer(asked.id, { action: "accept", content: { name: "Ada" } });
    expect((await outcome).content[0]?.text).toContain("Ada");
  });

  it("tasks/result of a task that has ended is answered at once, as often as it is asked", async ({ host, client }) => {
    host.desk.open("a");
    const taskId = await client.start("hold", { label: "a" });
    await client.until(taskId, "completed");
    const first = await client.outcome(taskId);
    expect(await client.outcome(taskId)).toEqual(first);
  });

  it("the response of tasks/result says which task it belongs to", async ({ host, client }) => {
    host.desk.open("a");
    const taskId = await client.start("hold", { label: "a" });
    expect(relatedTaskOf(await client.outcome(taskId))).toBe(taskId);
  });

  it("any number of callers may wait for one result", async ({ host, client }) => {
    const taskId = await client.start("hold", { label: "a" });
    const other = await host.client();
    const waiting = [client, other, client, other, client].map((one) => one.outcome(taskId));
    await host.eventually(() => host.desk.runs("a") === 1);
    host.desk.open("a");
    for (const outcome of await Promise.all(waiting)) expect(outcome.content[0]?.text).toBe("a");
  });

  // Case 29: a proxy that cuts long connections.
  it("a client may go away from tasks/result at any time, and ask again", async ({ host, client }) => {
    const taskId = await client.start("hold", { label: "a" });
    await host.eventually(() => host.desk.runs("a") === 1);
    for (let times = 0; times < 3; times += 1) {
      const leaving = new AbortController();
      const waiting = client.request("tasks/result", { taskId }, leaving.signal);
      await client.task(taskId);
      leaving.abort();
      await expect(waiting).rejects.toThrow();
    }
    expect((await client.task(taskId)).status).toBe("working");
    host.desk.open("a");
    expect((await client.outcome(taskId)).content[0]?.text).toBe("a");
    expect(host.desk.runs("a")).toBe(1);
  });

  it("giving up a tasks/result by notifications/cancelled leaves the task alone", async ({ host, client }) => {
    const taskId = await client.start("hold", { label: "a" });
    const leaving = new AbortController();
    const waiting = client.post(
      { id: "waits", method: "tasks/result", params: { taskId } },
      { signal: leaving.signal },
    );
    await host.eventually(() => host.desk.runs("a") === 1);
    await client.notify("notifications/cancelled", { requestId: "waits", reason: "no longer needed" });
    expect((await client.task(taskId)).status).toBe("working");
    leaving.abort();
    await waiting.catch(() => undefined); // the server may have ended it already
    host.desk.open("a");
    expect((await client.outcome(taskId)).content[0]?.text).toBe("a");
  });
});
