import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AuditLog, openAuditLog } from "./audit-log";
import type { AuditEntry } from "./engine/audit";
import { TestClock } from "./engine/test-clock";

let folder: string;
let path: string;
let clock: TestClock;
let logged: string[];
let audit: AuditLog;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "simmer-audit-"));
  path = join(folder, "audit.log");
  clock = new TestClock();
  logged = [];
  const log = pino({ level: "trace" }, { write: (line: string) => logged.push(line) });
  audit = openAuditLog({ path, maxBytes: 100_000, files: 1, clock, log });
});
afterEach(() => {
  audit.close();
  rmSync(folder, { recursive: true });
});

function written(): Record<string, unknown>[] {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

const at = () => new Date(clock.now()).toISOString();
const read: AuditEntry = { action: "read", client: "a", taskId: "t1", status: "running", detail: "get" };

describe("the audit log", () => {
  it("has who did what to which task and when, a line each, for its owner's eyes only", () => {
    audit.write({ action: "created", client: "a", says: "curl/8", taskId: "t1" });
    audit.write({ action: "ended", client: "a", taskId: "t1", detail: "failed" });
    expect(written()).toEqual([
      { at: at(), action: "created", client: "a", unverified: "curl/8", taskId: "t1" },
      { at: at(), action: "ended", client: "a", taskId: "t1", detail: "failed" },
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("has a reading at once, and those like it together when the minute is over", () => {
    const first = at();
    for (let times = 0; times < 500; times += 1) audit.write(read);
    expect(written()).toEqual([{ at: first, ...read }]);
    clock.advance(59_999);
    audit.write(read);
    expect(written()).toHaveLength(1);
    clock.advance(1);
    expect(written().slice(1)).toEqual([{ at: at(), ...read, more: 500 }]);
    audit.write(read);
    expect(written().slice(2)).toEqual([{ at: at(), ...read }]);
  });

  it("tells readings of another client, task, kind or status apart", () => {
    const others: Partial<AuditEntry>[] = [
      { client: "b" },
      { taskId: "t2" },
      { detail: "events" },
      { status: "succeeded" },
    ];
    for (const other of [{}, ...others]) for (const _twice of [1, 2]) audit.write({ ...read, ...other });
    expect(written()).toHaveLength(5);
    clock.advance(60_000);
    expect(written().slice(5)).toEqual([{}, ...others].map((other) => ({ at: at(), ...read, ...other, more: 1 })));
  });

  it("cannot be flooded by refusals, whatever they name", () => {
    for (let id = 0; id < 300; id += 1)
      audit.write({ action: "refused", client: "a", says: `agent ${id}`, taskId: `t${id}`, detail: "task_not_found" });
    for (let times = 0; times < 300; times += 1)
      audit.write({ action: "refused", client: null, detail: "unauthorized" });
    expect(written()).toHaveLength(2);
    clock.advance(60_000);
    expect(
      written()
        .slice(2)
        .map(({ client, more }) => [client, more]),
    ).toEqual([
      ["a", 299],
      [null, 299],
    ]);
  });

  it("has everything that changes something, however often", () => {
    for (let times = 0; times < 50; times += 1) audit.write({ action: "created", client: "a", taskId: "t1" });
    expect(written()).toHaveLength(50);
  });

  it("counts no more than so many kinds at a time", () => {
    audit.write(read);
    audit.write(read);
    for (let id = 2; id <= 10_001; id += 1) audit.write({ ...read, taskId: `t${id}` });
    const all = readFileSync(path, "utf8") + readFileSync(`${path}.1`, "utf8");
    expect(all).toContain('"more":1');
  });

  it("has what was counted when the host stops", () => {
    audit.write(read);
    audit.write(read);
    audit.close();
    expect(written()[1]).toMatchObject({ more: 1 });
  });

  it("that cannot be written stops nothing: it is said once, and so is when it can again", () => {
    mkdirSync(path);
    for (let id = 0; id < 10; id += 1) audit.write({ action: "created", client: "a", taskId: `t${id}` });
    rmSync(path, { recursive: true });
    audit.write({ action: "created", client: "a", taskId: "t10" });
    expect(written()).toHaveLength(11);
    expect(logged.map((line) => JSON.parse(line).msg)).toEqual([
      "the audit log cannot be written; its entries wait",
      "the audit log is written again",
    ]);
  });
});
