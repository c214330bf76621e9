import type fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiCall } from "./api-call";
import { campaign } from "./campaign";
import { FuzzHost } from "./fuzz-host";
import { leftovers } from "./leftovers";
import { legacyCalls } from "./legacy-calls";
import { lmspCalls } from "./lmsp-calls";
import { modernCalls } from "./modern-calls";
import { fuzzPlan, recordOf, reportOf } from "./plan";
import { spoiledRequests } from "./spoil-call";

const faces: readonly (readonly [name: string, calls: fc.Arbitrary<ApiCall>])[] = [
  ["LMSP", lmspCalls],
  ["MCP 2025-11-25", legacyCalls],
  ["MCP 2026-07-28", modernCalls],
];

const { count, seed } = fuzzPlan;

describe(`${count} requests that nobody should send (seed ${seed})`, () => {
  let host: FuzzHost;
  beforeAll(async () => {
    host = await FuzzHost.start();
  });
  afterAll(() => host[Symbol.asyncDispose]());

  it.each(faces)(
    "to %s are refused in its own words, and leave nothing behind",
    { timeout: 7_200_000 },
    async (face, calls) => {
      const options = { ...fuzzPlan, face, record: recordOf(face), requests: spoiledRequests(calls) };
      const result = await campaign(host, options);
      const faults = [...result.faults, ...leftovers(result.measures)];
      reportOf(face, { ...result, faults, slowest: host.slowest, tasks: host.tasks });
      expect(faults).toEqual([]);
    },
  );
});
