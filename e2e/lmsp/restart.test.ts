import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HostProcess } from "../host";
import { joinedText, LmspClient, outputText, refusal } from "../lmsp-client";
import { childrenOf, isGone } from "../processes";
import { slowModelFolder } from "../slow-model";

const report = { model: "simmer-slow", input: "Write a long report about bees.", temperature: 0 };

describe("a restart of the host", () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "simmer-restart-"));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  async function start(): Promise<{ host: HostProcess; lmsp: LmspClient }> {
    const host = await HostProcess.start({
      dataDir,
      modelsDir: await slowModelFolder(),
      set: { "limits.parallel": 1 },
    });
    return { host, lmsp: new LmspClient(host.endpoint) };
  }

  it("keeps every task that ended, with its whole history", async () => {
    const before = await start();
    const created = await Promise.all(
      ["Japan", "Italy", "Spain"].map((land) => before.lmsp.create(`What is the capital of ${land}?`)),
    );
    const ended = [];
    for (const { id } of created) {
      const events = await before.lmsp.allEvents(id);
      ended.push({ task: await before.lmsp.task(id), events });
    }
    expect(await before.host.stop()).toBe(0);
    const after = await start();
    for (const { task, events } of ended) {
      expect(await after.lmsp.task(task.id)).toEqual(task);
      expect(await after.lmsp.allEvents(task.id)).toEqual(events);
      expect(joinedText(events)).toBe(outputText(task));
    }
    await after.host.stop();
  });

  it("ends or runs again what had not ended, once each time, and knows its idempotency keys", async () => {
    let { host, lmsp } = await start();
    const key = { "idempotency-key": "again" };
    const retried = await lmsp.create({ ...report, max_output_tokens: 300 }, { on_restart: "retry" }, key);
    await lmsp.until(retried.id, "running");
    const failing = await lmsp.create(report);
    for (const attempt of [2, 3]) {
      const inference = childrenOf(host.endpoint.pid);
      await host.kill();
      for (const pid of inference) await isGone(pid);
      ({ host, lmsp } = await start());
      await lmsp.until(retried.id, "running");
      const failed = await lmsp.task(failing.id);
      expect([failed.status, failed.error?.code]).toEqual(["failed", "server_restarted"]);
      const starts = (await lmsp.events(retried.id, 0)).body?.pipeThrough(new TextDecoderStream()).getReader();
      expect((await starts?.read())?.value).toContain(`"attempt":${attempt}`);
      await starts?.cancel();
    }
    expect((await lmsp.create({ ...report, max_output_tokens: 300 }, { on_restart: "retry" }, key)).id).toBe(
      retried.id,
    );
    await lmsp.cancel(retried.id);
    await lmsp.until(retried.id, "cancelled");
    await host.stop();
  });

  it("is refused while another host serves the same folder, and works at once after a kill", async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(/Another Simmer is using the folder/);
    expect((await first.lmsp.request("/models")).status).toBe(200);
    await first.host.kill();
    const second = await start();
    expect((await second.lmsp.request("/models")).status).toBe(200);
    const stale = new LmspClient(second.host.endpoint, first.host.endpoint.token);
    expect(await refusal(await stale.request("/tasks"))).toEqual([401, "unauthorized"]);
    await second.host.stop();
  });
});
