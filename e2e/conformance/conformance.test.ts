import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConformanceHost } from "./conformance-host";
import { type Revision, runSuite, type SuiteRun } from "./suite";
import { failuresOf, reportOf, summaryOf } from "./summary";

const revisions = ["2025-11-25", "2026-07-28"] as const;
const reports = fileURLToPath(new URL("../../dist/test/conformance", import.meta.url));
const runs = new Map<Revision, SuiteRun>();
let host: ConformanceHost;

// Both runs mostly wait, so they share the time.
beforeAll(async () => {
  host = await ConformanceHost.start();
  await Promise.all(revisions.map(async (revision) => runs.set(revision, await runSuite(host.url, revision))));
}, 300_000);
afterAll(() => host[Symbol.asyncDispose]());

describe.each(revisions)("by the official conformance suite of %s", (revision) => {
  const scenarios = () => runs.get(revision)?.scenarios ?? new Map();

  test("the host has all that the revision requires", () => {
    expect(runs.get(revision)).toMatchObject({ conforms: true });
  });

  test("no check of what this server offers fails", () => {
    expect(failuresOf(scenarios())).toEqual([]);
  });

  test("every scenario runs, with all its checks", async () => {
    mkdirSync(reports, { recursive: true });
    writeFileSync(`${reports}/${revision}.txt`, reportOf(scenarios()));
    const summary = `${JSON.stringify(summaryOf(scenarios()), null, 2)}\n`;
    await expect(summary).toMatchFileSnapshot(`golden/${revision}.json`);
  });
});
