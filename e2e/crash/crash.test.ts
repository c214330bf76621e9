import { randomInt } from "node:crypto";
import { describe, expect, it } from "vitest";
import { runRounds } from "./rounds";

/** Another one each time; a failure names its rounds by it. */
const seed = String(randomInt(1_000_000));

// The short form of `npm run test:crash -- 1000`.
describe("hosts that are killed at random moments under mixed load", () => {
  it(`lose nothing that was told (seed ${seed})`, async () => {
    const { kills, tasks, violations } = await runRounds({ seed, numbers: [1, 2, 3, 4, 5, 6], realEvery: 6 });
    expect(violations).toEqual([]);
    expect(kills).toBeGreaterThan(10);
    expect(tasks).toBeGreaterThan(20);
  });
});
