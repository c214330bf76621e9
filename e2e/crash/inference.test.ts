import { describe, expect, it } from "vitest";
import { HostProcess } from "../host";
import { finalEvents, frames, joinedText, LmspClient, outputText } from "../lmsp-client";
import { childrenOf, isGone } from "../processes";
import { slowModelFolder } from "../slow-model";

const report = {
  model: "simmer-slow",
  input: "Write a long report about bees.",
  temperature: 0,
  max_output_tokens: 60,
};

describe("an inference process", () => {
  it.each(["SIGKILL", "SIGSEGV"] as const)("that is killed costs no more than its fail tasks (%s)", async (signal) => {
    await using host = await HostProcess.start({ modelsDir: await slowModelFolder(), set: { "limits.parallel": 2 } });
    const lmsp = new LmspClient(host.endpoint);
    const failing = await lmsp.create({ ...report, max_output_tokens: 4_000 });
    const retried = await lmsp.create(report, { on_restart: "retry" }, { "idempotency-key": signal });
    for (const { id } of [failing, retried]) await untilDelta(lmsp, id);
    const live = lmsp.allEvents(retried.id);

    for (const pid of childrenOf(host.endpoint.pid)) process.kill(pid, signal);

    expect((await lmsp.until(failing.id, "failed")).error).toMatchObject({ code: "backend_crashed", status: 503 });
    expect((await lmsp.allEvents(failing.id)).at(-1)?.event).toBe("response.failed");
    const next = await lmsp.create({ ...report, max_output_tokens: 5 });
    expect((await lmsp.until(next.id, "succeeded")).error).toBeNull();
    const again = await lmsp.until(retried.id, "succeeded");
    const replay = await lmsp.allEvents(retried.id);
    expect(replay.slice(0, 2).map(({ event, data }) => [event, data.attempt])).toEqual([
      ["response.created", undefined],
      ["response.in_progress", 2],
    ]);
    expect(joinedText(replay)).toBe(outputText(again));
    // Who watched all along saw both attempts, the numbers only grew, and there was one end.
    const numbers = (await live).map(({ id }) => id);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect((await live).slice(-replay.length + 1).map(({ raw }) => raw)).toEqual(replay.slice(1).map(({ raw }) => raw));
    expect((await live).filter(({ event }) => finalEvents.includes(event))).toHaveLength(1);
  });

  it("that hangs does not hold up the stop of the host", async () => {
    await using host = await HostProcess.start({
      modelsDir: await slowModelFolder(),
      set: { "engine.cancel_bound": 60_000 },
    });
    const lmsp = new LmspClient(host.endpoint);
    const { id } = await lmsp.create({ ...report, max_output_tokens: 4_000 });
    await untilDelta(lmsp, id);
    const inference = childrenOf(host.endpoint.pid);
    expect(inference).toHaveLength(1);
    for (const pid of inference) process.kill(pid, "SIGSTOP");

    const stoppedAt = performance.now();
    expect(await host.stop()).toBe(0);
    expect(performance.now() - stoppedAt).toBeLessThan(5_000);
    for (const pid of inference) await isGone(pid);
  });
});

async function untilDelta(lmsp: LmspClient, id: string): Promise<void> {
  const enough = new AbortController();
  for await (const { event } of frames(await lmsp.events(id, undefined, "query", enough.signal)))
    if (event === "response.output_text.delta") break;
  enough.abort();
}
