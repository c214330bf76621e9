import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { TestModern } from "./test-modern";

const form = {
  type: "form",
  message: "Which name?",
  schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};

async function connect(host: TestModern): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { name: "Ada" } }));
  const headers = { authorization: "Bearer secret" };
  await client.connect(new StreamableHTTPClientTransport(new URL(host.agent().url), { requestInit: { headers } }));
  return client;
}

describe("the client of the SDK", () => {
  it("calls a tool, is told how it gets on, and answers what it asks", async () => {
    await using host = await TestModern.start();
    const client = await connect(host);
    host.finish();
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("echo");
    const told: unknown[] = [];
    const onprogress = (progress: unknown) => told.push(progress);
    const written = await client.callTool({ name: "echo", arguments: { prompt: "Hi" } }, { onprogress });
    expect(written.content).toEqual([{ type: "text", text: "one two three" }]);
    expect(told).not.toEqual([]);
    const asked = await client.callTool({ name: "ask", arguments: { questions: [form] } });
    expect(asked.structuredContent).toEqual({ answers: [{ action: "accept", content: { name: "Ada" } }] });
    await client.close();
  });

  it("cancels what it no longer waits for", async () => {
    await using host = await TestModern.start();
    const client = await connect(host);
    const abort = new AbortController();
    const call = client.callTool({ name: "echo", arguments: { prompt: "Hi" } }, { signal: abort.signal });
    const left = expect(call).rejects.toThrow();
    await host.engine.until(() => host.engine.store.tasks({ limit: 1 })[0]?.status === "running");
    abort.abort();
    await left;
    await host.engine.becomes(host.newest.id, "cancelled");
    await client.close();
  });
});
