import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { EndpointFile } from "./endpoint-file";
import { systemClock } from "./engine/clock";

const url = "http://127.0.0.1:4517";
const endpoint = { url, lmsp: `${url}/lmsp/v1`, mcp: `${url}/mcp`, token: "t", clients: {}, pid: 1, version: "1" };

it("the endpoint's file replaces the draft that a killed host left, and is its owner's alone", () => {
  const folder = mkdtempSync(join(tmpdir(), "simmer-endpoint-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "endpoint.json.tmp"), "{", { mode: 0o644 });

  new EndpointFile({ folder, endpoint, clock: systemClock, warn: expect.unreachable }).write();

  expect(readdirSync(folder)).toEqual(["endpoint.json"]);
  const path = join(folder, "endpoint.json");
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(endpoint);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
