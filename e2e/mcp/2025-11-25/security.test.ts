import { readFileSync } from "node:fs";
import { describe, expect } from "vitest";
import { it } from "../test";
import { TestHost } from "../test-host";

const methods = ["tasks/get", "tasks/result", "tasks/cancel"];

describe("isolation and access (Task Isolation and Access Control)", () => {
  // Cases 2 and B89.
  it("tasks/get, tasks/result and tasks/cancel of another client's task are refused like an unknown one", async ({
    host,
    client,
  }) => {
    const taskId = await client.start("hold", { label: "a" });
    const bob = await host.client({}, "bob");
    for (const method of methods) {
      const foreign = await bob.error(method, { taskId });
      const unknown = await bob.error(method, { taskId: "no_such_task" });
      expect(foreign.code).toBe(-32602);
      expect(foreign).toEqual(unknown);
    }
    expect((await client.task(taskId)).status).toBe("working");
  });

  it("tasks/list has the tasks of its own client only", async ({ host, client }) => {
    const mine = await client.start("hold", { label: "a" });
    const bob = await host.client({}, "bob");
    const theirs = await bob.start("hold", { label: "b" });
    expect((await client.all()).map(({ taskId }) => taskId)).toEqual([mine]);
    expect((await bob.all()).map(({ taskId }) => taskId)).toEqual([theirs]);
  });

  it("a task is bound to the token's client, not to the session: any session of it may do everything", async ({
    host,
    client,
  }) => {
    const taskId = await client.start("hold", { label: "a" });
    await client.end();
    const again = await host.client();
    expect((await again.task(taskId)).status).toBe("working");
    host.desk.open("a");
    expect((await again.outcome(taskId)).content[0]?.text).toBe("a");
  });

  it("a session is bound to the token that began it", async ({ host, client }) => {
    const { status } = await client.post(
      { method: "tasks/list" },
      { headers: { authorization: `Bearer ${host.token("bob")}` } },
    );
    expect(status).toBe(404);
  });

  it.for([
    ["no token", { authorization: "" }, 401],
    ["a wrong token", { authorization: "Bearer wrong" }, 401],
    ["a foreign origin", { origin: "http://evil.example" }, 403],
  ] as const)("nothing is answered to %s", async ([_, headers, wanted], { client }) => {
    const { status } = await client.post({ method: "tasks/list" }, { headers });
    expect(status).toBe(wanted);
  });
});

describe("limits (Resource Management)", () => {
  it("the tasks of one client that wait are limited, and its own only", async () => {
    await using host = await TestHost.start({ settings: { "limits.queue_per_client": 2 } });
    const client = await host.client();
    const args = { prompt: "Write.", model: "held" };
    for (let running = 0; running < 8; running += 1) {
      const taskId = await client.start("generate", args);
      await host.eventually(() => host.seenAtTheDesktop(taskId).status === "running");
    }
    for (let waiting = 0; waiting < 2; waiting += 1) await client.start("generate", args);
    for (const task of [{}, { task: {} }]) {
      const error = await client.error("tools/call", { name: "generate", arguments: args, ...task });
      expect(error).toMatchObject({ code: -32603, data: { code: "queue_full", retryAfter: expect.any(Number) } });
    }
    expect((await client.all()).length).toBe(10);
    await (await host.client({}, "bob")).start("generate", args);
  });

  it("the operations of one client are limited in their rate, and its own only", async () => {
    await using host = await TestHost.start({
      settings: { "limits.request_burst": 20, "limits.requests_per_second": 1 },
    });
    const client = await host.client();
    const bob = await host.client({}, "bob");
    const statuses: number[] = [];
    for (let times = 0; times < 30; times += 1)
      statuses.push((await client.post({ method: "tasks/get", params: { taskId: "guess" } })).status);
    expect(statuses).toContain(429);
    expect((await bob.list()).tasks).toEqual([]);
  });

  it("a ttl beyond the maximum is not granted", async ({ client }) => {
    expect((await client.create("hold", { label: "a" }, { ttl: 1e12 })).task.ttl).toBe(2_147_483_647);
  });

  it("the limits are documented: the largest ttl, the most tasks of one client", () => {
    const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
    expect(readme).toMatch(/2,147,483,647/);
    expect(readme).toMatch(/limits\.queue_per_client/);
  });
});

describe("the audit log (Audit and Logging)", () => {
  it("creation, end and retrieval of a task are logged, with the client", async ({ host, client }) => {
    host.desk.open("a");
    const taskId = await client.start("hold", { label: "a" });
    await client.outcome(taskId);
    const entries = (await host.audited()).filter((entry) => entry.taskId === taskId);
    expect(entries.map(({ action }) => action)).toEqual(["created", "ended", "retrieved"]);
    for (const entry of entries) expect(entry).toMatchObject({ client: "alice", at: expect.any(String) });
  });

  it("a refused look-up is logged, and many of them are a reason to warn", async ({ host, client }) => {
    const bob = await host.client({}, "bob");
    const taskId = await client.start("hold", { label: "a" });
    for (let times = 0; times < 120; times += 1) await bob.error("tasks/get", { taskId });
    const refused = (await host.audited()).filter(({ action }) => action === "refused");
    // Those like it are counted, and told together when the minute is over.
    expect(refused).toEqual([expect.objectContaining({ client: "bob", taskId, detail: "task_not_found" })]);
    expect(await host.audited()).toContainEqual(
      expect.objectContaining({ action: "warned", client: "bob", detail: "unknown_ids" }),
    );
    expect(host.log.filter(({ client: name }) => name === "bob")).toHaveLength(1);
  });

  it("the log holds nothing of what was asked or written, and no token", async ({ host, client }) => {
    await client.outcome(await client.start("generate", { prompt: "a secret prompt" }));
    const text = JSON.stringify(await host.audited());
    expect(text).not.toContain("secret prompt");
    expect(text).not.toContain("written by a script");
    expect(text).not.toContain(host.token("alice"));
  });
});
