import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestModern } from "./test-modern";
import { type ModernAgent, withTasks } from "./test-modern-agent";

let host: TestModern;
let agent: ModernAgent;
beforeEach(async () => {
  host = await TestModern.start({ settings: { "limits.queue_per_client": 1 } });
  agent = host.agent(withTasks);
});
afterEach(() => host[Symbol.asyncDispose]());

async function refusal(response: Promise<Response>): Promise<[number, number]> {
  const answer = await response;
  return [answer.status, (await answer.json()).error.code];
}

describe("a request of 2026-07-28", () => {
  it("stands alone: it needs no session, and gets none", async () => {
    const response = await agent.post("server/discover");
    expect(response.status).toBe(200);
    expect(response.headers.get("mcp-session-id")).toBeNull();
  });

  it.each([
    ["no header for its version", { "mcp-protocol-version": "" }],
    ["another version in its header", { "mcp-protocol-version": "2025-11-25" }],
    ["another method in its header", { "mcp-method": "tools/list" }],
    ["another name in its header", { "mcp-name": "task_1" }],
  ])("is refused with %s", async (_name, headers) => {
    const response = agent.post("tasks/get", { params: { taskId: "task_0" }, headers });
    expect(await refusal(response)).toEqual([400, -32020]);
  });

  it("is understood when its name is encoded", async () => {
    const name = `=?base64?${Buffer.from("task_0").toString("base64")}?=`;
    const response = await agent.post("tasks/get", { params: { taskId: "task_0" }, headers: { "mcp-name": name } });
    expect([response.status, (await response.json()).error.code]).toEqual([200, -32602]);
  });

  it("is refused when it does not say what its client can do", async () => {
    const meta = { "io.modelcontextprotocol/clientCapabilities": undefined };
    expect(await refusal(agent.post("tools/list", { meta }))).toEqual([400, -32602]);
  });

  it("is told the versions there are when it wants another", async () => {
    const version = "2027-01-01";
    const meta = { "io.modelcontextprotocol/protocolVersion": version };
    const response = await agent.post("tools/list", { meta, headers: { "mcp-protocol-version": version } });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({
      code: -32022,
      data: { supported: ["2026-07-28"], requested: version },
    });
  });

  it.each(["initialize", "ping", "logging/setLevel", "resources/subscribe", "nothing/known"])(
    "cannot be %s",
    async (method) => {
      expect(await refusal(agent.post(method))).toEqual([404, -32601]);
    },
  );

  it("is refused without a token", async () => {
    expect((await host.agent(withTasks, "guessed").post("server/discover")).status).toBe(401);
  });

  it("that finds the queue full is told when to come back, and makes no task", async () => {
    await agent.start("echo", { prompt: "runs" });
    await host.engine.becomes(host.newest.id, "running");
    const waiting = await agent.start("echo", { prompt: "waits" });
    const { error } = await agent.call("echo", { prompt: "too much" });
    expect(error).toMatchObject({ code: -32603, data: { code: "queue_full", retryAfter: expect.any(Number) } });
    expect(host.newest.id).toBe(waiting);
  });
});

describe("the resources", () => {
  it("are the client's finished tasks, newest first", async () => {
    host.finish();
    const ids: string[] = [];
    for (const prompt of ["first", "second"]) {
      ids.unshift(await agent.start("echo", { prompt }));
      await host.engine.becomes(ids[0] ?? "", "succeeded");
    }
    const { result } = await agent.ask("resources/list");
    expect(result.resources.map(({ uri, title }: { uri: string; title: string }) => [uri, title])).toEqual([
      [`simmer://tasks/${ids[0]}`, "second"],
      [`simmer://tasks/${ids[1]}`, "first"],
    ]);
    expect((await host.agent(withTasks, "second").ask("resources/list")).result.resources).toEqual([]);
  });

  it("are read as text, by their own client only, and once they have ended", async () => {
    const id = await agent.start("echo", { prompt: "Hi" });
    const uri = `simmer://tasks/${id}`;
    expect((await agent.ask("resources/read", { uri })).error).toMatchObject({ code: -32602, data: { uri } });
    host.finish();
    await host.engine.becomes(id, "succeeded");
    expect((await agent.ask("resources/read", { uri })).result.contents).toEqual([
      { uri, mimeType: "text/plain", text: "one two three" },
    ]);
    const foreign = await host.agent(withTasks, "second").ask("resources/read", { uri });
    expect(foreign.error).toMatchObject({ code: -32602, data: { uri } });
  });

  it("do not include what has failed", async () => {
    const id = await agent.start("ask", { questions: [{ type: "form" }], to: "person" });
    await host.engine.becomes(id, "failed");
    expect((await agent.ask("resources/list")).result.resources).toEqual([]);
    const { error } = await agent.ask("resources/read", { uri: `simmer://tasks/${id}` });
    expect(error.code).toBe(-32602);
  });

  it("do not include plain calls", async () => {
    host.finish();
    await host.agent().call("echo", { prompt: "Hi" });
    expect((await agent.ask("resources/list")).result.resources).toEqual([]);
  });

  it("are refused with a cursor that is none", async () => {
    for (const cursor of ["nonsense", 7])
      expect((await agent.ask("resources/list", { cursor })).error.code).toBe(-32602);
  });
});
