import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  createApplicationInputHandler,
  createTaskSessionFromClient,
  resultFromTaskOutcome,
  type TaskState,
} from "@modelcontextprotocol/ext-tasks/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chosenModel, generateCall, PeerHost } from "./peer-host";
import { rawDispatch } from "./raw-dispatch";

let host: PeerHost;
beforeAll(async () => {
  host = await PeerHost.start();
});
afterAll(() => host[Symbol.asyncDispose]());

const clientInfo = { name: "ext-tasks", version: "1.0.0" };
const clientCapabilities = { elicitation: {} };
const protocolVersion = "2026-07-28";

/** The client of the extension's own package, on the SDK's second client. It chooses a model when asked. */
async function connect(revision: "2025-11-25" | typeof protocolVersion, asked: unknown[]) {
  const mode = revision === protocolVersion ? { pin: protocolVersion } : "legacy";
  const client = new Client(clientInfo, { capabilities: clientCapabilities, versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(host.url), { requestInit: { headers: host.headers } }),
  );
  const onInputRequest = createApplicationInputHandler({
    elicitation: ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: chosenModel };
    },
    sampling: () => Promise.reject(new Error("Nobody asked for sampling")),
    roots: () => Promise.reject(new Error("Nobody asked for roots")),
  });
  const framing = { protocolVersion, clientInfo, clientCapabilities };
  const session = createTaskSessionFromClient(client, {
    endpointId: host.url,
    onInputRequest,
    ...(revision === protocolVersion
      ? { rawDispatch: rawDispatch(host.url, host.headers), v2RequestFraming: framing }
      : {}),
  });
  return { client, session };
}

test.each(["2025-11-25", "2026-07-28"] as const)(
  "the extension's client runs a task of %s, answers its question and reads the result",
  async (revision) => {
    const asked: unknown[] = [];
    const { client, session } = await connect(revision, asked);
    const execution = await session.callTool(generateCall.name, generateCall.arguments, {
      task: { preference: "require" },
    });
    expect(execution.kind).toBe("task");

    const seen: TaskState[] = [];
    const { outcome } = await execution.settle({
      onEvent: (event) => void (event.type === "task" && seen.push(event.task.status)),
    });
    expect(asked).toEqual([expect.stringContaining("Which one")]);
    expect(seen).toContain("input_required");
    expect(outcome.status).toBe("completed");
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ text: expect.stringMatching(/\w/) }] });
    await session.close();
    await client.close();
  },
);
