import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openAuditLog } from "./audit-log";
import { TestClock } from "./engine/test-clock";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "simmer-audit-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("writes who did what to which task and when, a line each, for its owner's eyes only", async () => {
  const path = join(folder, "audit.log");
  const audit = openAuditLog(path, new TestClock(), pino({ level: "silent" }));
  audit.write({ action: "created", client: "a", taskId: "t1" });
  audit.write({ action: "ended", client: "a", taskId: "t1", detail: "failed" });
  await audit.close();
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const at = new Date(new TestClock().now()).toISOString();
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { at, action: "created", client: "a", taskId: "t1" },
    { at, action: "ended", client: "a", taskId: "t1", detail: "failed" },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("warns once a minute of a client that keeps asking for what it has not", async () => {
  const warnings: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => warnings.push(line) });
  const clock = new TestClock();
  const audit = openAuditLog(join(folder, "audit.log"), clock, log);
  const refuse = (times: number, client: string) => {
    for (let time = 0; time < times; time += 1) audit.write({ action: "refused", client, taskId: "x" });
  };
  refuse(99, "a");
  refuse(99, "b");
  expect(warnings).toEqual([]);
  refuse(200, "a");
  expect(warnings).toHaveLength(1);
  expect(JSON.parse(warnings[0] ?? "")).toMatchObject({ client: "a" });
  clock.advance(60_000);
  refuse(99, "b");
  expect(warnings).toHaveLength(1);
  await audit.close();
});
