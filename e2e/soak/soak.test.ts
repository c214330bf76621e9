import { mkdirSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { HostProcess } from "../host";
import { LmspClient } from "../lmsp-client";
import { childrenOf } from "../processes";
import { Load, workers } from "./load";
import { Latencies, type Sample, usageOf } from "./sample";
import { verdictOn } from "./verdict";

/** More in the long form: `npm run test:soak -- 20`. */
const minutes = Number(process.env.SIMMER_SOAK_MINUTES ?? 0);
const sampleEvery = 10_000;
const report = fileURLToPath(new URL("../../dist/test/soak.json", import.meta.url));

const settings = {
  "limits.requests_per_second": 100_000,
  "limits.request_burst": 100_000,
  "retention.events": 10_000,
  "models.threads": 1,
  // Full after a minute, so that the files are as large as they ever get.
  "logs.max_bytes": 1_000_000,
};

async function open(): Promise<{ host: HostProcess; inference: number }> {
  const host = await HostProcess.start({ clients: ["agent"], set: settings });
  const lmsp = new LmspClient(host.endpoint);
  const { id } = await lmsp.create({ input: "Count.", temperature: 0, max_output_tokens: 1 });
  await lmsp.until(id, "succeeded");
  const [inference = 0] = childrenOf(host.endpoint.pid);
  return { host, inference };
}

const short = () =>
  it("leaves no handle and no stream behind when many clients have come and gone", async () => {
    const { host, inference } = await open();
    await using _ = host;
    const rounds: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const stop = new AbortController();
      const load = new Load(host, new Latencies(), stop.signal);
      const running = load.run();
      while (load.tasks < 60) await pause(10);
      stop.abort();
      await running;
      rounds.push(await settled(() => usageOf(host.endpoint.pid, inference, host.dataDir).handles));
    }
    // Each round opens far more streams than this; a few idle connections are kept for whoever calls next.
    expect(rounds.at(-1)).toBeLessThanOrEqual((rounds[0] ?? 0) + workers);
  });

const long = () =>
  it(
    "is after so many minutes and tasks what it was at the start",
    async () => {
      const { host, inference } = await open();
      await using _ = host;
      const latencies = new Latencies();
      const stop = new AbortController();
      const load = new Load(host, latencies, stop.signal);
      const started = performance.now();
      const running = load.run();
      running.catch(() => stop.abort());
      const samples: Sample[] = [];
      while (performance.now() - started < minutes * 60_000 && !stop.signal.aborted) {
        await pause(sampleEvery, undefined, { signal: stop.signal }).catch(() => undefined);
        const at = Math.round((performance.now() - started) / 1_000);
        samples.push({
          at,
          tasks: load.tasks,
          ...usageOf(host.endpoint.pid, inference, host.dataDir),
          ...latencies.take(),
        });
      }
      stop.abort();
      await running;
      const verdicts = verdictOn(samples);
      mkdirSync(fileURLToPath(new URL(".", `file://${report}`)), { recursive: true });
      writeFileSync(report, JSON.stringify({ minutes, tasks: load.tasks, verdicts, samples }, null, 2));
      expect(verdicts.filter(({ isFlat }) => !isFlat)).toEqual([]);
    },
    minutes * 60_000 + 120_000,
  );

if (minutes === 0) short();
else long();

/** The value once it has stopped falling: what was closed is let go a moment later. */
async function settled(read: () => number): Promise<number> {
  let lowest = read();
  for (let same = 0; same < 50; same += 1) {
    await pause(20);
    const now = read();
    if (now < lowest) same = 0;
    lowest = Math.min(lowest, now);
  }
  return lowest;
}
