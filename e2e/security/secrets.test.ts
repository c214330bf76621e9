import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HostProcess } from "../host";
import { LmspClient, outputText, refusal } from "../lmsp-client";
import { ModernClient } from "../mcp/modern-client";
import { RawClient } from "../mcp/raw-client";
import { TestHost } from "../mcp/test-host";
import { childrenOf } from "../processes";

/** Stands in everything that is asked. */
const marker = "purple-elephant-on-a-tricycle";
const jsonPost = { method: "POST", headers: { "content-type": "application/json" } };

/** Whatever the data folder holds besides what is there to hold secrets. */
function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.map((name) => join(folder, name)).filter((path) => statSync(path).isFile());
}

describe("no log of a host", () => {
  it("holds a token, a prompt or an output, at any level, whatever goes wrong", async () => {
    const parent = mkdtempSync(join(tmpdir(), "simmer-secrets-"));
    const dataDir = join(parent, "data");
    await using host = await HostProcess.start({
      dataDir,
      clients: ["agent"],
      set: { "logs.level": "trace", "limits.body_bytes": 20_000 },
    });
    const { token, clients, mcp } = host.endpoint;
    const lmsp = new LmspClient(host.endpoint);
    const secrets = [token, clients.agent ?? "", marker];

    const { id } = await lmsp.create(`Write a story about a ${marker}.`);
    const written = outputText(await lmsp.until(id, "succeeded"));
    expect(written.length).toBeGreaterThan(40);
    secrets.push(written.slice(0, 40));
    await lmsp.allEvents(id);
    await lmsp.request(`/tasks/${marker}`);
    await lmsp.request(`/tasks?limit=${marker}&token=${token}`);
    await lmsp.request(`/${marker}`);

    // Bodies that cannot be read, are too large, or do not fit.
    for (const body of [`{"input": "${marker} ${token}`, `${token}`, JSON.stringify({ [marker]: token }), '"\0'])
      expect((await lmsp.request("/tasks", { ...jsonPost, body })).status).toBe(400);
    const tooLarge = await lmsp.request("/tasks", { ...jsonPost, body: `"${marker.repeat(1_000)}"` });
    expect(await refusal(tooLarge)).toEqual([413, "payload_too_large"]);
    const model = { type: "response", input: { input: marker, model: `${marker}-${token}` } };
    expect((await lmsp.post("/tasks", model)).status).toBe(404);

    // Whom the guard turns away.
    for (const headers of [
      { authorization: `Basic ${token}` },
      { authorization: `Bearer ${token}x` },
      { authorization: `Bearer ${token}`, origin: `http://evil.example/${marker}/${token}` },
      { authorization: `Bearer ${token}`, "user-agent": "secret-agent", host: "evil.example" },
    ])
      await lmsp.request(`/tasks/${marker}?token=${token}`, { headers });

    // Agents, of both generations.
    const client = await RawClient.connect({ url: mcp, token: clients.agent ?? "" });
    await client.outcome(await client.start("generate", { prompt: marker, max_output_tokens: 20 }));
    await client.error("tasks/get", { taskId: `${marker} ${token}` });
    await client.request("tools/call", { name: marker, arguments: { [marker]: token } });
    await client.request(marker, { [marker]: token });
    expect((await client.post({ method: "ping", id: marker }, { headers: { "mcp-session-id": token } })).status).toBe(
      404,
    );
    await new ModernClient({ url: mcp, token }).request("tools/call", { name: "generate", arguments: { prompt: 5 } });
    const broken = await fetch(mcp, {
      ...jsonPost,
      headers: { ...jsonPost.headers, authorization: `Bearer ${token}` },
      body: `{"jsonrpc": "2.0", "method": "${marker}`,
    });
    expect(broken.status).toBe(400);
    await client.end();

    // The inference process dies in the middle of a text.
    const running = await lmsp.create(`Write a very long report about a ${marker}.`);
    const inference = childrenOf(host.endpoint.pid);
    await lmsp.until(running.id, "running");
    for (const pid of inference) process.kill(pid, "SIGKILL");
    await lmsp.until(running.id, "failed");
    const after = await lmsp.create({ input: `And again: ${marker}.`, max_output_tokens: 5 });
    await lmsp.until(after.id, "succeeded");

    expect(await host.stop()).toBe(0);
    const logs = filesIn(dataDir).filter((path) => !/\/simmer\.db[^/]*$/.test(path));
    expect(logs.map((path) => path.slice(dataDir.length + 1))).toEqual(
      expect.arrayContaining(["audit.log", join("logs", "simmer.log")]),
    );
    expect(readFileSync(join(dataDir, "logs", "simmer.log"), "utf8").length).toBeGreaterThan(100);
    for (const [name, text] of [
      ...logs.map((path) => [path, readFileSync(path, "latin1")] as const),
      ["stderr", host.log],
    ])
      for (const secret of secrets) expect([name, text.includes(secret)]).toEqual([name, false]);
    rmSync(parent, { recursive: true });
  });

  it("holds what a bug of ours was about", async () => {
    await using host = await TestHost.start();
    const client = await host.client();
    const taskId = await client.start("bug", {});
    expect((await client.error("tasks/result", { taskId })).code).toBe(-32603);
    const said = JSON.stringify(host.log);
    expect(said).toContain(taskId);
    expect(said).not.toContain(host.token("alice"));
  });
});

describe("the data folder", () => {
  it("is its owner's alone, with everything in it, and takes back what others may read of the tasks", async () => {
    const parent = mkdtempSync(join(tmpdir(), "simmer-modes-"));
    const dataDir = join(parent, "data");
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    const modes = () => filesIn(dataDir).map((path) => [path.slice(dataDir.length + 1), mode(path)]);
    const first = await HostProcess.start({ dataDir, set: { "logs.level": "trace" } });
    const lmsp = new LmspClient(first.endpoint);
    await lmsp.until((await lmsp.create("What is the capital of Japan?")).id, "succeeded");
    expect(mode(dataDir)).toBe("700");
    expect(modes().map(([name]) => name)).toEqual(
      expect.arrayContaining(["audit.log", "endpoint.json", join("logs", "simmer.log"), "simmer.db"]),
    );
    expect(modes().filter(([, bits]) => bits !== "600")).toEqual([]);
    await first.kill();
    for (const path of filesIn(dataDir)) chmodSync(path, 0o644);
    const second = await HostProcess.start({ dataDir, set: { "logs.level": "trace" } });
    expect(modes().filter(([name, bits]) => name !== "lock.db" && bits !== "600")).toEqual([]);
    await second.stop();
    rmSync(parent, { recursive: true });
  });
});
