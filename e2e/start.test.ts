import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isGone } from "./processes";

const root = fileURLToPath(new URL("..", import.meta.url));

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "simmer-start-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Runs the host as the documents say; `listening` resolves with what endpoint.json says. */
function npmRun(...options: string[]) {
  const child = spawn("npm", ["run", "--silent", "headless", "--", ...options], { cwd: root });
  const output: string[] = [];
  child.stdout.on("data", (text) => output.push(String(text)));
  child.stderr.on("data", (text) => output.push(String(text)));
  const ended = once(child, "close").then(([code]) => ({ code, output: output.join("") }));
  const file = join(dataDir, "endpoint.json");
  const listening = async () => {
    for (let tries = 0; tries < 2_000 && child.exitCode === null; tries += 1) {
      if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`The host does not listen:\n${output.join("")}`);
  };
  return { child, ended, listening };
}

test("a signal to npm ends the host cleanly, with code 0 and without its endpoint file", async () => {
  const { child, ended, listening } = npmRun("--port", "0", "--data-dir", dataDir, "--client", "agent");
  const endpoint = await listening();
  expect(endpoint).toMatchObject({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    lmsp: `${endpoint.url}/lmsp/v1`,
    mcp: `${endpoint.url}/mcp`,
    clients: { agent: expect.stringMatching(/^[\w-]{40,}$/) },
    version: JSON.parse(readFileSync(`${root}package.json`, "utf8")).version,
  });
  expect(statSync(join(dataDir, "endpoint.json")).mode & 0o777).toBe(0o600);

  const stoppedAt = performance.now();
  child.kill("SIGTERM");
  expect((await ended).code).toBe(0);
  expect(performance.now() - stoppedAt).toBeLessThan(5_000);
  expect(existsSync(join(dataDir, "endpoint.json"))).toBe(false);
  await isGone(endpoint.pid);
});

test("a second host on the same data refuses, and the first serves on", async () => {
  const first = npmRun("--port", "0", "--data-dir", dataDir);
  const { url, token } = await first.listening();
  const second = await npmRun("--port", "0", "--data-dir", dataDir).ended;
  expect(second.code).toBe(1);
  expect(second.output).toContain(dataDir);
  expect(second.output).not.toMatch(/^ +at /m);
  const answer = await fetch(`${url}/lmsp/v1/models`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  first.child.kill("SIGTERM");
  await first.ended;
});

test.each([
  [["--prot", "1"], "Unknown option '--prot'. See --help."],
  [["--set", "limits.queue=0"], '--set: "limits.queue" cannot be 0; allowed is a whole number from 1 to 1000000.'],
])("%j ends with code 2 and one line that says why", async (options, line) => {
  expect(await npmRun(...options).ended).toEqual({ code: 2, output: `${line}\n` });
});

test("the settings file is heard, faults and all", async () => {
  writeFileSync(join(dataDir, "settings.json"), '{"limits.parallel": 3, "limits.queue": "many"}');
  const { child, ended, listening } = npmRun("--port", "0", "--data-dir", dataDir);
  const { lmsp, token } = await listening();
  const answer = await fetch(`${lmsp}/capabilities`, { headers: { authorization: `Bearer ${token}` } });
  const { limits } = (await answer.json()) as { limits: Record<string, unknown> };
  expect(Object.values(limits)).toContain(3);
  child.kill("SIGTERM");
  expect((await ended).output).toMatch(/limits\.queue.* cannot be .*many.*allowed is a whole number/);
});
