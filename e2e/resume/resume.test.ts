import { beforeAll, describe, expect, it } from "vitest";
import { finalEvents, joinedText } from "../lmsp-client";
import { type Interruption, interruptedRun, type Resumed, undisturbedText } from "./interrupted-run";

/** More in the long form: `npm run test:resume -- 50`. */
const rounds = Number(process.env.SIMMER_RESUME_ROUNDS ?? 3);
const shares = [0.2, 0.5, 0.8];
const tokens = rounds > shares.length ? 400 : 100;

describe("a long greedy run whose host is killed on its way", () => {
  let whole = "";
  const killed = (share: number, more: Partial<Interruption> = {}) =>
    interruptedRun({ tokens, killAfter: whole.length * share, state: "kept", neighbours: 0, ...more });

  beforeAll(async () => {
    whole = await undisturbedText(tokens);
  });

  // B74
  it.each(Array.from({ length: rounds }, (_, round) => [shares[round % shares.length] ?? 0.5, round + 1] as const))(
    "alone, at %f of its text: writes the text of an uninterrupted run (round %i)",
    async (share) => {
      const run = await killed(share);
      expectOneStream(run);
      expect(run.text).toBe(whole);
      if (share === Math.max(...shares)) expect(run.hadState).toBe(true);
    },
  );

  it("without its state file: writes the text of an uninterrupted run", async () => {
    const run = await killed(0.5, { state: "removed" });
    expectOneStream(run);
    expect(run.text).toBe(whole);
  });

  it("beside others: keeps what it had written, and comes to a legal end", async () => {
    const run = await killed(0.5, { neighbours: 2 });
    expectOneStream(run);
  });
});

/** No gap, no repeat, no contradiction: what was read before the kill and after it is one history. */
function expectOneStream(run: Resumed): void {
  expect(run.read.map(({ raw }) => raw)).toEqual(run.history.map(({ raw }) => raw));
  expect(run.read.map(({ id }) => id)).toEqual(run.read.map((_, index) => index));
  expect(run.readBefore).toBeGreaterThan(3);
  expect(run.read.filter(({ event }) => finalEvents.includes(event))).toEqual([run.read.at(-1)]);
  expect(run.read.filter(({ event }) => event === "response.in_progress")).toHaveLength(1);
  expect(run.status).toBe("succeeded");
  expect(run.text).toBe(joinedText(run.read));
  const before = joinedText(run.read.slice(0, run.readBefore));
  expect(run.text.startsWith(before)).toBe(true);
}
