import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HostProcess } from "../host";
import { LmspClient } from "../lmsp-client";
import { childrenOf, isGone } from "../processes";
import { slowModelFolder } from "../slow-model";

const report = {
  model: "simmer-slow",
  input: "Write a long report about bees.",
  temperature: 0,
  max_output_tokens: 4_000,
};
const short = { model: "simmer-demo", input: "What is the capital of Japan?", max_output_tokens: 5 };

async function inferenceOf(host: HostProcess): Promise<number> {
  const children = childrenOf(host.endpoint.pid);
  expect(children).toHaveLength(1);
  return Number(children[0]);
}

describe("a stopped inference process", () => {
  // B110: it costs its tasks, and is replaced once.
  it("is found, told as one that stopped answering, and replaced", async () => {
    await using host = await HostProcess.start({
      modelsDir: await slowModelFolder(),
      set: { "engine.hang_bound": 5_000 },
    });
    const lmsp = new LmspClient(host.endpoint);
    const { id } = await lmsp.create(report);
    await lmsp.until(id, "running");
    const pid = await inferenceOf(host);
    process.kill(pid, "SIGSTOP");
    expect((await lmsp.until(id, "failed")).error).toMatchObject({
      code: "backend_crashed",
      detail: expect.stringContaining("stopped answering for 5 seconds"),
    });
    await isGone(pid);
    await lmsp.until((await lmsp.create(short)).id, "succeeded");
    expect(await inferenceOf(host)).not.toBe(pid);
  });

  it("that outlives its killed host is ended by the next one on the folder", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "simmer-leftover-"));
    try {
      const options = { dataDir, modelsDir: await slowModelFolder() };
      const before = await HostProcess.start(options);
      const lmsp = new LmspClient(before.endpoint);
      await lmsp.until((await lmsp.create(report)).id, "running");
      const pid = await inferenceOf(before);
      process.kill(pid, "SIGSTOP");
      await before.kill();
      await using after = await HostProcess.start(options);
      await isGone(pid);
      const again = new LmspClient(after.endpoint);
      await again.until((await again.create(short)).id, "succeeded");
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

describe("a stopped and continued host", () => {
  it("does not take its inference process for one that hangs", async () => {
    await using host = await HostProcess.start({
      modelsDir: await slowModelFolder(),
      set: { "engine.hang_bound": 5_000 },
    });
    const lmsp = new LmspClient(host.endpoint);
    const { id } = await lmsp.create({ ...report, max_output_tokens: 60 });
    await lmsp.until(id, "running");
    const pid = await inferenceOf(host);
    for (let nap = 0; nap < 2; nap += 1) {
      process.kill(host.endpoint.pid, "SIGSTOP");
      await new Promise((resolve) => setTimeout(resolve, 6_000)); // the time is the point: longer than the bound
      process.kill(host.endpoint.pid, "SIGCONT");
      await lmsp.task(id);
    }
    await lmsp.until(id, "succeeded");
    expect(await inferenceOf(host)).toBe(pid);
  });
});
