import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import type { CallAnswer } from "../../electron/window/serve-calls";
import { desktopCalls } from "./desktop-calls";
import { DesktopHost } from "./desktop-host";
import { heapLeftovers } from "./leftovers";
import { fuzzPlan, reportOf } from "./plan";
import { ourFaults, tellsOfTheInside } from "./verdict";

const { seed } = fuzzPlan;
/** They cost next to nothing. */
const count = Math.max(1_500, fuzzPlan.count);
const askEvery = 50;

const refusal = z.strictObject({
  ok: z.literal(false),
  problem: z.strictObject({
    code: z.string().refine((code) => !ourFaults.includes(code)),
    detail: z.string().refine((detail) => !tellsOfTheInside(detail, [])),
  }),
});
const answer = z.union([z.strictObject({ ok: z.literal(true), value: z.unknown() }), refusal]);

/** Bytes, once the garbage is collected. */
function heapUsed(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

function answerFaults(given: CallAnswer): string[] {
  return answer.safeParse(given).success ? [] : [JSON.stringify(given)];
}

it(`answers ${count} calls that no page should make (seed ${seed}) by the contract or with a problem`, {
  timeout: 7_200_000,
}, async () => {
  await using host = await DesktopHost.start();
  const measures = [];
  let sent = 0;
  let refused = 0;
  const property = fc.asyncProperty(desktopCalls, async (call) => {
    if (sent++ % askEvery === 0) await host.ask();
    if (sent % (4 * askEvery) === 0) await host.calm();
    if (sent === Math.ceil(count / 4)) measures.push({ heapUsed: heapUsed() });
    const given = await host.call(call);
    if (given === undefined) return;
    if (!given.ok) refused += 1;
    expect([...host.faults.splice(0), ...answerFaults(given)]).toEqual([]);
  });
  await fc.assert(property, { seed, numRuns: count });
  await host.calm();
  measures.push({ heapUsed: heapUsed() });
  const faults = heapLeftovers(measures);
  reportOf("desktop", { sent, statuses: { answered: sent - refused, refused }, measures, faults });
  expect(faults).toEqual([]);
  // Both happen, or nothing was tried.
  expect(Math.min(refused, sent - refused)).toBeGreaterThan(count / 10);
});
