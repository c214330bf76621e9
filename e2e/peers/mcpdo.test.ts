import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { Mcpdo } from "./mcpdo";
import { chosenModel, generateCall, PeerHost } from "./peer-host";

let host: PeerHost;
let mcpdo: Mcpdo;
// Its first start may fetch the program.
beforeAll(async () => {
  host = await PeerHost.start();
  mcpdo = await Mcpdo.start();
}, 300_000);
afterAll(async () => {
  await mcpdo[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

const pendingSchema = z.object({
  elicitationPending: z.object({ elicitationId: z.string(), message: z.string(), origin: z.string() }),
});

/** As mcpdo takes them: `name:=value`. */
function fields(values: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(values).map(([name, value]) => `${name}:=${value}`);
}

test.each([
  { era: "legacy", asTask: ["--task"], origin: "server-request" },
  { era: "modern", asTask: [], origin: "task-input-required" },
])("the Inspector's command line, $era, runs a task, answers its question and reads the result", async (given) => {
  const { era, asTask, origin } = given;
  const header = `Authorization: ${host.headers.Authorization}`;
  const connection = await mcpdo.run("connect", host.url, "--era", era, "--header", header);
  expect(connection).toMatchObject({ protocolEra: era });

  const call = ["--connection", host.url, "tools/call", generateCall.name, ...fields(generateCall.arguments)];
  const { elicitationPending } = pendingSchema.parse(await mcpdo.run(...call, ...asTask));
  expect(elicitationPending).toMatchObject({ message: expect.stringContaining("Which one"), origin });

  const result = await mcpdo.run("elicitation/respond", elicitationPending.elicitationId, ...fields(chosenModel));
  expect(result).toMatchObject({ content: [{ type: "text", text: expect.stringMatching(/\w/) }] });
  await mcpdo.run("disconnect", host.url);
});
