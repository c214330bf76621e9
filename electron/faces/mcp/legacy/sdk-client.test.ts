import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
} from "@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js";
import { CallToolResultSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { TestLegacy } from "./test-legacy";

const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
const form = { type: "form", message: "Your name?", schema };

async function connect(host: TestLegacy, client: Client): Promise<StreamableHTTPClientTransport> {
  const headers = { authorization: "Bearer secret" };
  const transport = new StreamableHTTPClientTransport(new URL(host.url), { requestInit: { headers } });
  await client.connect(transport as never);
  return transport;
}

describe("the SDK's own client of the first generation", () => {
  it("runs a tool as a task, is asked on the way, and gets the result", async () => {
    await using host = await TestLegacy.start();
    const client = new Client({ name: "v1", version: "1" }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: "accept", content: { name: "Ada" } }));
    const transport = await connect(host, client);
    await client.listTools();
    const kinds: string[] = [];
    const call = { name: "ask", arguments: { questions: [form] } };
    for await (const message of client.experimental.tasks.callToolStream(call, CallToolResultSchema, { task: {} })) {
      kinds.push(message.type === "taskStatus" ? message.task.status : message.type);
      if (message.type === "result")
        expect(message.result.structuredContent).toEqual({ answers: [{ action: "accept", content: { name: "Ada" } }] });
    }
    expect(kinds[0]).toBe("taskCreated");
    expect(kinds.at(-1)).toBe("result");
    await transport.terminateSession();
    await client.close();
  });

  it("calls tools plainly, with progress, and lists, reads and cancels", async () => {
    await using host = await TestLegacy.start();
    const client = new Client({ name: "v1", version: "1" });
    await connect(host, client);
    const plain = client.callTool({ name: "echo", arguments: { prompt: "Hi" } });
    await host.engine.until(() => host.engine.store.unfinished().length > 0);
    host.finish();
    expect((await plain).content).toEqual([{ type: "text", text: "one two three" }]);
    expect((await client.callTool({ name: "count_models", arguments: {} })).structuredContent).toEqual({ count: 0 });
    expect(await client.experimental.tasks.listTasks()).toEqual({ tasks: [] });
    expect((await client.listResources()).resources).toEqual([]);
    await client.close();
  });

  it("takes a question as a task of its own", async () => {
    await using host = await TestLegacy.start();
    const taskStore = new InMemoryTaskStore();
    const client = new Client(
      { name: "v1", version: "1" },
      {
        capabilities: { elicitation: {}, tasks: { cancel: {}, requests: { elicitation: { create: {} } } } },
        taskStore,
        taskMessageQueue: new InMemoryTaskMessageQueue(),
      },
    );
    const created: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, async (request, extra) => {
      expect(request.params.task).toEqual({});
      const task = await extra.taskStore?.createTask({ ttl: null, pollInterval: 100 });
      if (task === undefined) throw new Error("It has a store");
      created.push(task.taskId);
      await extra.taskStore?.storeTaskResult(task.taskId, "completed", { action: "accept", content: { name: "Ada" } });
      return { task };
    });
    const transport = await connect(host, client);
    const call = client.callTool({ name: "ask", arguments: { questions: [form] } });
    await host.engine.until(() => created.length > 0);
    for (let ended = false; !ended; ) {
      host.engine.clock.advance(100);
      ended = await Promise.race([call.then(() => true), client.ping().then(() => false)]);
    }
    expect((await call).structuredContent).toEqual({ answers: [{ action: "accept", content: { name: "Ada" } }] });
    taskStore.cleanup();
    await transport.terminateSession();
    await client.close();
  });
});
