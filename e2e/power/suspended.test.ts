import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { HostProcess } from "../host";
import { type Frame, frames, LmspClient } from "../lmsp-client";
import { childrenOf } from "../processes";
import { slowModelFolder } from "../slow-model";

const cycles = 50;
/** Well below how long the machine sleeps once. */
const hangBound = 5_000;

/** A laptop that is closed and opened again and again: what sleeps is not late, and nobody is to blame for the time. B106 */
describe("a run on a machine that sleeps fifty times", () => {
  it.each([
    ["with all of its processes", (host: HostProcess) => [host.endpoint.pid, ...childrenOf(host.endpoint.pid)]],
    ["while the host alone is held", (host: HostProcess) => [host.endpoint.pid]],
  ] as const)("comes to its end %s, with every event once and in order", async (_, processesOf) => {
    await using host = await HostProcess.start({
      modelsDir: await slowModelFolder(),
      set: { "engine.hang_bound": hangBound, "limits.parallel": 1 },
    });
    const lmsp = new LmspClient(host.endpoint);
    const input = { model: "simmer-slow", input: "Write a long report about tides.", temperature: 0 };
    const { id } = await lmsp.create({ ...input, max_output_tokens: 160 });
    const stream = frames(await lmsp.events(id));
    const read: Frame[] = [];
    const next = async () => {
      const { value } = await stream.next();
      if (value) read.push(value);
    };
    while (read.at(-1)?.event !== "response.output_text.delta") await next();
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const asleep = processesOf(host);
      for (const pid of asleep) process.kill(pid, "SIGSTOP");
      await pause(cycle === cycles / 2 ? hangBound * 1.5 : 10);
      for (const pid of asleep.reverse()) process.kill(pid, "SIGCONT");
      await next();
    }
    for await (const frame of stream) read.push(frame);
    expect(read.map(({ id: number }) => number)).toEqual(read.map((_frame, index) => index));
    expect(read.filter(({ event }) => event === "response.in_progress")).toHaveLength(1);
    expect((await lmsp.task(id)).status).toBe("succeeded");
    expect(host.log).not.toMatch(/stopped answering|ended unexpectedly/);
  });
});
