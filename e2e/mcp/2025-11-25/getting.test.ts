import { describe, expect } from "vitest";
import { it } from "../test";

describe("getting tasks (Getting Tasks)", () => {
  it("tasks/get answers with the whole task", async ({ client }) => {
    const { task } = await client.create("hold", { label: "a" }, { ttl: 30_000 });
    const { _meta: _, ...got } = await client.task(task.taskId);
    expect(got).toMatchObject({ taskId: task.taskId, status: "working", createdAt: task.createdAt, ttl: 30_000 });
    expect(got.statusMessage).toEqual(expect.any(String));
  });

  it("tasks/get says in milliseconds how often to ask while anything can change", async ({ client }) => {
    const { task } = await client.create("hold", { label: "a" });
    expect(task.pollInterval).toBeGreaterThanOrEqual(500);
    expect((await client.task(task.taskId)).pollInterval).toBeGreaterThanOrEqual(500);
  });

  it("a server does not open an event stream to answer tasks/get", async ({ client }) => {
    const taskId = await client.start("hold", { label: "a" });
    for (const method of ["tasks/get", "tasks/cancel"]) {
      const { headers, answer } = await client.post({ method, params: { taskId } });
      expect(answer).toHaveProperty("result.taskId", taskId);
      expect(headers.get("content-type")).toMatch(/^application\/json/);
    }
    const { headers } = await client.post({ method: "tasks/list", params: {} });
    expect(headers.get("content-type")).toMatch(/^application\/json/);
  });

  it("a client may go away from tasks/get at any time", async ({ client }) => {
    const taskId = await client.start("hold", { label: "a" });
    for (let times = 0; times < 5; times += 1) {
      const leaving = new AbortController();
      const asked = client.request("tasks/get", { taskId }, leaving.signal);
      leaving.abort();
      await expect(asked).rejects.toThrow();
    }
    expect((await client.task(taskId)).status).toBe("working");
  });

  it("a requestor may go on polling while its tasks/result waits", async ({ host, client }) => {
    const taskId = await client.start("hold", { label: "a" });
    const outcome = client.outcome(taskId);
    for (let times = 0; times < 5; times += 1) expect((await client.task(taskId)).status).toBe("working");
    host.desk.open("a");
    expect(await outcome).toMatchObject({ content: [{ text: "a" }] });
  });

  // Case B88.
  it("reading a task changes nothing of it", async ({ host, client }) => {
    const taskId = await client.start("hold", { label: "a" });
    await host.eventually(() => host.desk.runs("a") === 1);
    const first = await client.task(taskId);
    const { lastUpdatedAt } = first;
    for (let times = 0; times < 5; times += 1) expect((await client.task(taskId)).lastUpdatedAt).toBe(lastUpdatedAt);
    const listed = (await client.list()).tasks[0];
    expect(listed?.lastUpdatedAt).toBe(lastUpdatedAt);
  });
});
