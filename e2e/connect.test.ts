import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { HostProcess } from "./host";

const folder = new URL("../assets/connect/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), "utf8");
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

const server = z.object({ url: z.string(), headers: z.object({ Authorization: z.string() }) });
const servers = z.object({ simmer: server });

/** Where each snippet leads, read as the program that it is for reads it. */
const snippets: Readonly<Record<string, (text: string) => z.output<typeof server>>> = {
  "vscode.json": (text) => z.object({ servers, inputs: z.array(z.unknown()) }).parse(JSON.parse(text)).servers.simmer,
  "claude-code.json": (text) => z.object({ mcpServers: servers }).parse(JSON.parse(text)).mcpServers.simmer,
  "cursor.json": (text) => z.object({ mcpServers: servers }).parse(JSON.parse(text)).mcpServers.simmer,
  "inspector.sh": (text) => {
    // The shell itself says which words the command gets.
    const words = execFileSync("bash", ["-c", `npx() { printf '%s\\n' "$@"; }; SIMMER_TOKEN='$SIMMER_TOKEN'; ${text}`]);
    const [, , url, ...options] = words.toString().trimEnd().split("\n");
    const header = options[options.indexOf("--header") + 1] ?? "";
    return server.parse({ url, headers: { Authorization: header.replace(/^Authorization: /, "") } });
  },
};
const tokenNames = /\$\{input:simmer-token\}|\$\{SIMMER_TOKEN\}|\$\{env:SIMMER_TOKEN\}|\$SIMMER_TOKEN/;

let home: string;
let host: HostProcess;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "simmer-connect-"));
  host = await HostProcess.start({ dataDir: join(home, ".config", "simmer") });
});
afterAll(async () => {
  await host.stop();
  rmSync(home, { recursive: true, force: true });
});

/** The token as the README's command finds it. */
function exportedToken(): string {
  const command = /^export SIMMER_TOKEN=.*$/m.exec(readme)?.[0] ?? "false";
  const env = { ...process.env, HOME: home };
  return execFileSync("bash", ["-c", `${command}; printf %s "$SIMMER_TOKEN"`], { env }).toString();
}

test("there is a way to read each snippet", () => {
  expect(readdirSync(folder).sort()).toEqual(Object.keys(snippets).sort());
});

test.each(Object.keys(snippets))("%s stands in the README and connects", async (name) => {
  const text = read(name);
  expect(readme).toContain(text);
  const { url, headers } = snippets[name]?.(text) ?? { url: "", headers: { Authorization: "" } };
  expect(url).toBe("http://127.0.0.1:4517/mcp");
  expect(headers.Authorization).toMatch(tokenNames);
  const authorization = headers.Authorization.replace(tokenNames, exportedToken());
  const transport = new StreamableHTTPClientTransport(new URL(`${host.endpoint.url}/mcp`), {
    requestInit: { headers: { authorization } },
  });
  const client = new Client({ name: "snippet", version: "1" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name)).toContain("generate");
  await client.close();
});
