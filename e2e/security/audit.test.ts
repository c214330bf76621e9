import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { refusal } from "../lmsp-client";
import { TestHost } from "../mcp/test-host";

let host: TestHost;
beforeEach(async () => {
  host = await TestHost.start({ settings: { "limits.requests_per_second": 1, "limits.request_burst": 50 } });
});
afterEach(() => host[Symbol.asyncDispose]());

/** What the audit log says of this task, in short. */
async function told(taskId: string): Promise<unknown[]> {
  const entries = (await host.audited()).filter((entry) => entry.taskId === taskId);
  return entries.map(({ action, client, detail }) => [action, client, ...(detail === undefined ? [] : [detail])]);
}

describe("the audit log", () => {
  it("tells who created, read, followed and cancelled a task, and how it ended, in every face alike", async () => {
    const lmsp = host.lmsp();
    const { id } = await lmsp.create({ model: "held", input: "Write." });
    await lmsp.until(id, "running");
    const gone = new AbortController();
    await lmsp.events(id, undefined, "query", gone.signal);
    gone.abort();
    await (await host.client()).task(id);
    await host.modern().task(id);
    await lmsp.cancel(id);
    await host.eventually(() => host.seenAtTheDesktop(id).status === "cancelled");
    const entries = await told(id);
    expect(entries).toContainEqual(["created", "alice"]);
    expect(entries).toContainEqual(["read", "alice", "get"]);
    expect(entries).toContainEqual(["read", "alice", "events"]);
    expect(entries).toContainEqual(["cancelled", "alice", "cancelled by its client"]);
    expect(entries).toContainEqual(["ended", "alice", "cancelled"]);
    // The person at the window reads too.
    expect(entries).toContainEqual(["read", "desktop", "get"]);
  });

  it("marks what a caller says of itself as unverified", async () => {
    await host.lmsp().request("/tasks", { headers: { "user-agent": "curl/8 (of alice)" } });
    await (await host.client()).list();
    const lists = (await host.audited()).filter(({ detail }) => detail === "list");
    // The second is one like the first.
    expect(lists).toEqual([expect.objectContaining({ client: "alice", unverified: "curl/8 (of alice)" })]);
  });

  it("tells what was asked of an agent and what it answered, never the words", async () => {
    const agent = await host.client({
      capabilities: { elicitation: {} },
      handlers: { "elicitation/create": () => ({ action: "accept", content: { name: "a secret name" } }) },
      listen: true,
    });
    host.desk.open("a secret question");
    const taskId = await agent.start("ask", { label: "a secret question" });
    await agent.outcome(taskId);
    const question = host.questions(taskId)[0]?.id;
    expect(await told(taskId)).toEqual([
      ["created", "alice"],
      ["asked", "alice", `${question} (form)`],
      ["sent", "alice", `${question} (form)`],
      ["answered", "alice", `${question} (form)`],
      ["ended", "alice", "succeeded"],
      ["retrieved", "alice"],
    ]);
    expect(JSON.stringify(await host.audited())).not.toContain("secret");
  });

  it("tells who was turned away, from where and why, without the token and without what was not ours", async () => {
    const base = host.url.replace(/mcp$/, "lmsp/v1");
    const ask = (path: string, headers: Record<string, string>) => fetch(`${base}${path}`, { headers });
    const authorization = `Bearer ${host.token("alice")}`;
    await ask("/tasks/a-secret-id?token=a-secret-token", { authorization: "Bearer a-secret-token" });
    await ask("/tasks", { authorization, origin: "http://evil.example" });
    await ask("/tasks", { authorization, origin: "http://evil.example/?token=a-secret-token" });
    await ask("/%zz", {});
    await ask("/tasks/a-secret-id", { authorization });
    const refused = (await host.audited()).filter(({ action }) => action === "refused");
    expect(refused).toEqual([
      {
        ...{ at: expect.any(String), action: "refused", client: null, unverified: "node" },
        detail: "unauthorized at GET /lmsp/v1/tasks/:id",
      },
      {
        ...{ at: expect.any(String), action: "refused", client: null, unverified: "node" },
        ...{ detail: "forbidden at GET /lmsp/v1/tasks", origin: "http://evil.example" },
      },
      {
        ...{ at: expect.any(String), action: "refused", client: null, unverified: "node" },
        detail: "unauthorized at GET no route",
      },
      {
        ...{ at: expect.any(String), action: "refused", client: "alice", unverified: "node" },
        detail: "task_not_found",
      },
    ]);
    expect(JSON.stringify(await host.audited())).not.toContain("a-secret");
  });

  it("tells who was refused for asking too much", async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => host.lmsp("bob").request("/models")));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    expect(await host.audited()).toContainEqual(
      expect.objectContaining({ action: "refused", client: "bob", detail: "rate_limited at GET /lmsp/v1/models" }),
    );
  });

  it("tells who made, rotated and revoked whose token", async () => {
    const token = host.clients.create("agent", "desktop");
    host.clients.revoke("agent", "desktop");
    const lmsp = host.lmsp();
    expect(await refusal(await lmsp.request("/tasks", { headers: { authorization: `Bearer ${token}` } }))).toEqual([
      401,
      "unauthorized",
    ]);
    const entries = (await host.audited()).filter(({ subject }) => subject === "agent");
    expect(entries.map(({ action, client }) => [action, client])).toEqual([
      ["token_created", "desktop"],
      ["token_revoked", "desktop"],
    ]);
  });
});
