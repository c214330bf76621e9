import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chosenModel, generateCall, PeerHost } from "./peer-host";

let host: PeerHost;
beforeAll(async () => {
  host = await PeerHost.start();
});
afterAll(() => host[Symbol.asyncDispose]());

/** The client of the SDK's second generation, which speaks both revisions and knows tasks of neither. */
async function connect(mode: "legacy" | "auto", asked: string[]) {
  const client = new Client(
    { name: "sdk-v2", version: "1.0.0" },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode } },
  );
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: chosenModel };
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(host.url), { requestInit: { headers: host.headers } }),
  );
  return client;
}

test.each([
  { mode: "legacy", era: "legacy" },
  { mode: "auto", era: "modern" },
] as const)("the SDK's second client, $mode, is asked while it waits for a plain call", async ({ mode, era }) => {
  const asked: string[] = [];
  const client = await connect(mode, asked);
  expect(client.getProtocolEra()).toBe(era);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("generate");

  const result = await client.callTool(generateCall);
  expect(asked).toEqual([expect.stringContaining("Which one")]);
  expect(result).toMatchObject({ content: [{ text: expect.stringMatching(/\w/) }] });
  expect(result.isError).not.toBe(true);
  await client.close();
});
