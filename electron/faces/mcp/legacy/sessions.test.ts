import { describe, expect, it } from "vitest";
import { TestAgent } from "./test-agent";
import { TestLegacy } from "./test-legacy";

const initialize = (protocolVersion = "2025-11-25") => ({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } },
});
const ping = { jsonrpc: "2.0", id: 2, method: "ping" };

describe("a session", () => {
  it("begins with initialize, which says what the server can", async () => {
    await using host = await TestLegacy.start();
    const agent = new TestAgent(host.url);
    const { result } = await agent.initialize();
    expect(agent.session).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(result).toMatchObject({
      protocolVersion: "2025-11-25",
      serverInfo: { name: "simmer", version: "1.2.3" },
      capabilities: { tools: {}, resources: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
    });
    for (const absent of ["logging", "completions", "prompts"]) expect(result.capabilities).not.toHaveProperty(absent);
    expect(await agent.ask("ping")).toMatchObject({ result: {} });
  });

  it.each(["2025-06-18", "2025-03-26"])("speaks %s too, which has no tasks", async (protocolVersion) => {
    await using host = await TestLegacy.start({ model: { text: "done" } });
    const agent = new TestAgent(host.url);
    const { result } = await agent.initialize({ protocolVersion });
    expect(result.protocolVersion).toBe(protocolVersion);
    expect(result.capabilities).not.toHaveProperty("tasks");
    const { tools } = (await agent.ask("tools/list")).result;
    expect(tools.filter((tool: object) => "execution" in tool)).toEqual([]);
    for (const task of [{}, true])
      expect(await agent.ask("tools/call", { name: "echo", arguments: { prompt: "Hi" }, task })).toMatchObject({
        result: { content: [{ type: "text", text: "done" }] },
      });
    for (const method of ["tasks/get", "tasks/list", "tasks/result", "tasks/cancel"])
      expect(await agent.ask(method, { taskId: "x" })).toMatchObject({ error: { code: -32_601 } });
  });

  it("agrees on the newest revision that it knows when it is asked for another one", async () => {
    await using host = await TestLegacy.start();
    const agent = new TestAgent(host.url);
    expect((await agent.initialize({ protocolVersion: "1999-01-01" })).result.protocolVersion).toBe("2025-11-25");
  });

  it("ends with DELETE, and its client's other sessions and tasks go on", async () => {
    await using host = await TestLegacy.start();
    const [agent, second] = [await host.agent(), await host.agent()];
    const taskId = await agent.startTask("echo", { prompt: "Hi" });
    await using stream = await agent.listen();
    expect((await agent.http("DELETE", undefined, { "content-type": "nonsense" })).status).toBe(200);
    await stream.end();
    expect((await agent.http("POST", ping)).status).toBe(404);
    expect(await second.task(taskId)).toMatchObject({ taskId, status: "working" });
    host.finish();
    expect((await second.ask("tasks/result", { taskId })).result.content[0].text).toBe("one two three");
  });

  it("is unknown to every other client, as if it were not there", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const stranger = new TestAgent(host.url, "second");
    const answers: unknown[] = [];
    for (const session of [agent.session, "2b1d9b8e-0000-4000-8000-000000000000"]) {
      stranger.session = session;
      for (const method of ["POST", "GET", "DELETE"]) {
        const response = await stranger.http(method, method === "POST" ? ping : undefined);
        answers.push([response.status, await response.json()]);
      }
    }
    const notFound = [404, { jsonrpc: "2.0", error: { code: -32_001, message: "Session not found" }, id: null }];
    expect(answers).toEqual(Array.from({ length: 6 }, () => notFound));
    expect(await agent.ask("ping")).toMatchObject({ result: {} });
  });

  it("is needed for everything but initialize", async () => {
    await using host = await TestLegacy.start();
    const agent = new TestAgent(host.url);
    for (const method of ["POST", "GET", "DELETE"])
      expect((await agent.http(method, method === "POST" ? ping : undefined)).status).toBe(400);
    const malformed = await agent.http("POST", { ...initialize(), params: { capabilities: 5 } });
    expect([malformed.status, (await malformed.json()).error.code]).toEqual([400, -32_602]);
  });

  it("is refused a revision that no session speaks", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    expect((await agent.http("POST", ping, { "mcp-protocol-version": "1999-01-01" })).status).toBe(400);
  });

  it("expires when it was idle for an hour, but not while a stream is read", async () => {
    await using host = await TestLegacy.start();
    const [idle, reading] = [await host.agent(), await host.agent()];
    await using _stream = await reading.listen();
    host.engine.clock.advance(50 * 60_000);
    expect((await idle.http("POST", ping)).status).toBe(200);
    host.engine.clock.advance(59 * 60_000);
    expect((await idle.http("POST", ping)).status).toBe(200);
    host.engine.clock.advance(80 * 60_000);
    expect((await idle.http("POST", ping)).status).toBe(404);
    expect((await reading.http("POST", ping)).status).toBe(200);
  });

  it("makes room for a new one when its client has 64 and does not use it", async () => {
    await using host = await TestLegacy.start({ settings: { "limits.streams_per_client": 100 } });
    const agents: TestAgent[] = [];
    for (let count = 0; count < 64; count += 1) {
      agents.push(await host.agent());
      host.engine.clock.advance(1);
    }
    const [used, oldest] = agents;
    if (used === undefined || oldest === undefined) throw new Error("There are 64");
    await using _stream = await used.listen();
    await host.agent();
    expect((await used.http("POST", ping)).status).toBe(200);
    expect((await oldest.http("POST", ping)).status).toBe(404);
    expect((await new TestAgent(host.url, "second").http("POST", initialize())).status).toBe(200);
  });

  it("is refused when all 64 of its client are in use", async () => {
    await using host = await TestLegacy.start({ settings: { "limits.streams_per_client": 100 } });
    const streams = await Promise.all(Array.from({ length: 64 }, async () => (await host.agent()).listen()));
    const refused = await new TestAgent(host.url).http("POST", initialize());
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    await Promise.all(streams.map((stream) => stream.drop()));
  });
});

describe("the endpoint", () => {
  it("answers JSON-RPC to a body that is no JSON, and its own problems to what the guard refuses", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const broken = await agent.http("POST", "{");
    expect([broken.status, await broken.json()]).toMatchObject([400, { error: { code: -32_700 }, id: null }]);
    expect((await agent.http("POST", "hello", { "content-type": "text/plain" })).status).toBe(415);
    expect((await agent.http("POST", ping, { accept: "application/json" })).status).toBe(406);
    expect((await new TestAgent(host.url, "wrong").http("POST", initialize())).status).toBe(401);
    expect((await agent.http("POST", ping, { origin: "http://evil.example" })).status).toBe(403);
    expect((await agent.http("PUT", ping)).headers.get("allow")).toBe("DELETE, GET, POST");
    expect((await agent.http("HEAD")).status).toBe(405);
  });

  it("answers as JSON what is answered at once, and everything else as a stream", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const taskId = await agent.startTask("echo", { prompt: "Hi" });
    const typeOf = async (method: string, params: object) => {
      const stream = await agent.open(method, params);
      await stream.answer();
      return stream.response.headers.get("content-type");
    };
    for (const method of ["tasks/get", "tasks/list", "tools/list", "ping", "tasks/cancel"])
      expect(await typeOf(method, { taskId })).toMatch(/^application\/json/);
    expect(await typeOf("tasks/result", { taskId })).toBe("text/event-stream; charset=utf-8");
  });

  it("ignores what a request says of a related task", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const taskId = await agent.startTask("echo", { prompt: "Hi" });
    const other = await agent.startTask("echo", { prompt: "Ho" });
    const meta = { _meta: { "io.modelcontextprotocol/related-task": { taskId: other } } };
    expect(await agent.ask("tasks/get", { taskId, ...meta })).toMatchObject({ result: { taskId } });
    expect(await agent.ask("ping", meta)).toMatchObject({ result: {} });
  });

  it("refuses a second request with the id of one that is still open", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const taskId = await agent.startTask("echo", { prompt: "Hi" });
    const id = agent.nextId;
    await using stream = await agent.open("tasks/result", { taskId });
    const second = await agent.http("POST", { jsonrpc: "2.0", id, method: "ping" });
    expect([second.status, (await second.json()).error.code]).toEqual([400, -32_600]);
    host.finish();
    expect(await stream.answer()).toMatchObject({ id });
    expect((await agent.http("POST", { jsonrpc: "2.0", id, method: "ping" })).status).toBe(200);
  });

  it("answers a batch on one stream, as 2025-03-26 has it", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent({ protocolVersion: "2025-03-26" });
    const batch = [ping, { ...ping, id: 3 }, { jsonrpc: "2.0", method: "notifications/roots/list_changed" }];
    const text = await (await agent.http("POST", batch)).text();
    expect([...text.matchAll(/"id":(\d)/g)].map(([, id]) => id)).toEqual(["2", "3"]);
  });

  it("keeps every stream alive by one timer, and sends the headers at once", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const taskId = await agent.startTask("echo", { prompt: "Hi" });
    await using get = await agent.listen();
    await using post = await agent.open("tasks/result", { taskId });
    for (const stream of [get, post]) expect(stream.response.headers.get("x-accel-buffering")).toBe("no");
    host.engine.clock.advance(15_000);
    while (get.comments === 0) await get.news();
    while (post.comments === 0) await post.news();
  });

  it("ends every stream promptly when the host stops, and cancels no task by that", async () => {
    const host = await TestLegacy.start();
    const agent = await host.agent();
    const taskId = await agent.startTask("echo", { prompt: "Hi" });
    const get = await agent.listen();
    const waiting = await agent.open("tasks/result", { taskId });
    const plain = await agent.open("tools/call", { name: "echo", arguments: { prompt: "Ho" } });
    await host.engine.until(() => host.engine.store.unfinished().length === 2);
    await host.app.close();
    await Promise.all([get.end(), waiting.end(), plain.end()]);
    expect(host.engine.store.unfinished().map(({ status }) => status)).not.toContain("cancelling");
    expect(host.engine.store.unfinished()).toHaveLength(2);
    expect(host.logged).toEqual([]);
    await host[Symbol.asyncDispose]();
  });
});
