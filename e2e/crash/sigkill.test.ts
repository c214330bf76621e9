import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { HostProcess } from "../host";
import { finalEvents, LmspClient, type LmspTask } from "../lmsp-client";
import { childrenOf, isGone } from "../processes";
import { slowModelFolder } from "../slow-model";

const rounds = Number(process.env.SIMMER_CRASH_ROUNDS ?? 5);
const policies = ["fail", "fail", "retry"] as const;

/** What a client was told before the crash. */
interface Acknowledged {
  readonly task: LmspTask;
  readonly policy: "fail" | "retry";
  cancelAcknowledged: boolean;
}

describe("SIGKILL of the host while 40 tasks are created on the slow model", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "simmer-crash-"));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  for (let round = 1; round <= rounds; round += 1) {
    it(`loses nothing that was acknowledged, round ${round}`, async () => {
      const modelsDir = await slowModelFolder();
      const acknowledged = await crashAmidCreates(dataDir, modelsDir, round);
      await using host = await HostProcess.start({ dataDir, modelsDir });
      const lmsp = new LmspClient(host.endpoint);
      for (const known of acknowledged) await expectRecovered(lmsp, known, round);
      for (const { task } of acknowledged) {
        const current = await lmsp.task(task.id);
        if (!["failed", "cancelled", "succeeded"].includes(current.status)) await lmsp.cancel(task.id);
      }
      for (const { task } of acknowledged) await expectOneFinalEvent(lmsp, task.id);
      expect(await host.stop()).toBe(0);
    });
  }
});

async function crashAmidCreates(dataDir: string, modelsDir: string, round: number): Promise<Acknowledged[]> {
  const host = await HostProcess.start({ dataDir, modelsDir });
  const lmsp = new LmspClient(host.endpoint);
  const acknowledged: Acknowledged[] = [];
  const killAt = Math.random() * 40;
  let inference: number[] = [];
  const creates = Array.from({ length: 40 }, async (_, index) => {
    const policy = policies[index % 3] ?? "fail";
    const input = { model: "simmer-slow", input: `Write a long report about bees, number ${index}.`, temperature: 0 };
    const headers = { "idempotency-key": `round ${round} task ${index}` };
    const task = await lmsp.create(input, { on_restart: policy }, headers);
    const known: Acknowledged = { task, policy, cancelAcknowledged: false };
    acknowledged.push(known);
    if (index % 7 === 0) {
      await lmsp.cancel(task.id);
      known.cancelAcknowledged = true;
    }
    if (acknowledged.length < killAt) return;
    inference = childrenOf(host.endpoint.pid);
    await host.kill();
  });
  await Promise.allSettled(creates);
  for (const pid of inference) await isGone(pid);
  return acknowledged;
}

async function expectRecovered(lmsp: LmspClient, { task, policy, cancelAcknowledged }: Acknowledged, round: number) {
  const now = await lmsp.task(task.id);
  expect(now).toMatchObject({ id: task.id, response_id: task.response_id, created_at: task.created_at });
  if (cancelAcknowledged) expect(now.status, `round ${round}`).toBe("cancelled");
  else if (policy === "fail" && now.status === "failed") expect(now.error?.code).toBe("server_restarted");
  else if (policy === "fail") expect(now.status).toMatch(/^(cancelled|succeeded)$/);
  else expect(now.status).toMatch(/^(queued|loading|running|succeeded|cancelled)$/);
}

async function expectOneFinalEvent(lmsp: LmspClient, id: string): Promise<void> {
  const events = await lmsp.allEvents(id);
  expect(events.filter(({ event }) => finalEvents.includes(event))).toEqual([events.at(-1)]);
  expect(events[0]).toMatchObject({ id: 0, event: "response.created" });
  const numbers = events.map(({ id: number }) => number);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
}
