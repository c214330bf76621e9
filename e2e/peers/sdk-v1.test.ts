import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chosenModel, generateCall, PeerHost } from "./peer-host";

let host: PeerHost;
beforeAll(async () => {
  host = await PeerHost.start();
});
afterAll(() => host[Symbol.asyncDispose]());

/** The client of the SDK's first generation, which knows the tasks of 2025-11-25; it chooses a model when asked. */
async function connect(asked: string[] = []) {
  const client = new Client({ name: "sdk-v1", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: chosenModel };
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(host.url), { requestInit: { headers: host.headers } }),
  );
  return client;
}

test("the SDK's first client runs a task, answers its question and reads the result", async () => {
  const asked: string[] = [];
  const client = await connect(asked);
  const stream = client.experimental.tasks.callToolStream(generateCall, CallToolResultSchema, { task: {} });
  const messages = [];
  for await (const message of stream) messages.push(message);

  const [created] = messages;
  if (created?.type !== "taskCreated") throw new Error(`Not a task: ${JSON.stringify(created)}`);
  expect(created.task).toMatchObject({ status: "working", ttl: null });
  expect(asked).toEqual([expect.stringContaining("Which one")]);
  expect(messages.at(-1)).toMatchObject({
    type: "result",
    result: { content: [{ text: expect.stringMatching(/\w/) }] },
  });

  const { taskId } = created.task;
  expect(await client.experimental.tasks.getTask(taskId)).toMatchObject({ taskId, status: "completed" });
  const { tasks } = await client.experimental.tasks.listTasks();
  expect(tasks.map((task) => task.taskId)).toContain(taskId);
  await client.close();
});

test("the SDK's first client gets the same from a plain call, which is no task of its", async () => {
  const asked: string[] = [];
  const client = await connect(asked);
  const before = await client.experimental.tasks.listTasks();
  const result = await client.callTool(generateCall);

  expect(asked).toHaveLength(1);
  expect(result).toMatchObject({ content: [{ text: expect.stringMatching(/\w/) }] });
  expect(await client.experimental.tasks.listTasks()).toEqual(before);
  await client.close();
});

test("the SDK's first client cancels a task that waits for an answer, for good", async () => {
  const client = await connect();
  const stream = client.experimental.tasks.callToolStream(generateCall, CallToolResultSchema, { task: {} });
  const created = (await stream.next()).value;
  if (created?.type !== "taskCreated") throw new Error(`Not a task: ${JSON.stringify(created)}`);

  const { taskId } = created.task;
  expect(await client.experimental.tasks.cancelTask(taskId)).toMatchObject({ taskId, status: "cancelled" });
  await expect(client.experimental.tasks.cancelTask(taskId)).rejects.toMatchObject({ code: -32602 });
  await expect(client.experimental.tasks.getTaskResult(taskId)).rejects.toMatchObject({ code: -32603 });
  await client.close();
});
