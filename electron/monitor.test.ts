import { tmpdir } from "node:os";
import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AuditEntry } from "./engine/audit";
import { TestClock } from "./engine/test-clock";
import { openHostGauge } from "./host-use";
import { type HostBounds, type HostUse, Monitor } from "./monitor";

const bounds: HostBounds = { openCalls: 10, waitingTasks: 10, loopDelay: 10, memoryBytes: 10, freeBytes: 10 };
const fine: HostUse = { openCalls: 10, waitingTasks: 10, loopDelay: 10, memoryBytes: 10, freeBytes: 10 };

let clock: TestClock;
let warned: Record<string, unknown>[];
let audited: AuditEntry[];
let use: HostUse | Error;
let monitor: Monitor;

beforeEach(() => {
  clock = new TestClock();
  warned = [];
  audited = [];
  use = fine;
  monitor = new Monitor({
    clock,
    log: pino(
      { level: "warn", base: null, timestamp: false },
      { write: (line: string) => warned.push(JSON.parse(line)) },
    ),
    audit: (entry) => audited.push(entry),
    use: () => {
      if (use instanceof Error) throw use;
      return use;
    },
    bounds,
  });
  monitor.start();
});
afterEach(() => {
  monitor.close();
  clock.advance(600_000);
  expect(audited.length).toBe(warned.filter(({ level }) => level === 40).length);
});

function see(times: number, entry: AuditEntry): void {
  for (let time = 0; time < times; time += 1) monitor.see(entry);
}

async function look(): Promise<void> {
  clock.advance(10_000);
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
}

const unknown = (client: string): AuditEntry => ({ action: "refused", client, detail: "task_not_found" });
const read: AuditEntry = { action: "read", client: "a", taskId: "t1", status: "running", detail: "get" };
const noToken: AuditEntry = { action: "refused", client: null, detail: "unauthorized at GET /mcp" };
const page: AuditEntry = { action: "refused", client: null, detail: "forbidden at POST /mcp" };

describe("the monitor", () => {
  it.each([
    ["unknown ids", unknown("a"), 100, { kind: "unknown_ids", client: "a", count: 100 }],
    ["refused tokens", noToken, 20, { kind: "refused_tokens", count: 20 }],
    ["web pages of other origins", page, 20, { kind: "refused_pages", count: 20 }],
    ["readings of one unfinished task", read, 100, { kind: "over_polling", client: "a", taskId: "t1", count: 100 }],
  ] as const)("warns of a flood of %s, in the log and in the audit log", (_name, entry, many, warning) => {
    see(many - 1, entry);
    expect(warned).toEqual([]);
    see(1, entry);
    expect(warned).toEqual([{ level: 40, ...warning, msg: expect.any(String) }]);
    const task = "taskId" in warning ? { taskId: "t1" } : {};
    expect(audited).toEqual([{ action: "warned", client: entry.client, ...task, detail: warning.kind }]);
  });

  it("warns once a minute of one kind and client, and of each client and kind by itself", () => {
    see(1_000, unknown("a"));
    see(99, unknown("b"));
    see(200, read);
    expect(warned.map(({ kind, client }) => [kind, client])).toEqual([
      ["unknown_ids", "a"],
      ["over_polling", "a"],
    ]);
    clock.advance(60_000);
    see(99, unknown("b"));
    expect(warned).toHaveLength(2);
    see(100, unknown("a"));
    expect(warned).toHaveLength(3);
  });

  it("takes no offence at a client that polls as it was told to, nor at one that reads what has ended", () => {
    for (let tenth = 0; tenth < 600; tenth += 1) {
      clock.advance(500);
      see(1, read);
    }
    see(500, { ...read, status: "succeeded" });
    see(500, { ...read, detail: "events" });
    for (let task = 0; task < 500; task += 1) see(1, { ...read, taskId: `t${task + 2}` });
    expect(warned).toEqual([]);
  });

  it.each([
    ["openCalls", { openCalls: 11 }],
    ["waitingTasks", { waitingTasks: 11 }],
    ["loopDelay", { loopDelay: 11 }],
    ["memoryBytes", { memoryBytes: 11 }],
    ["freeBytes", { freeBytes: 9 }],
  ] as const)("warns when the host's %s is out of bounds, once a minute as long as it is", async (kind, over) => {
    await look();
    expect(warned).toEqual([]);
    use = { ...fine, ...over };
    for (let times = 0; times < 6; times += 1) await look();
    expect(warned).toMatchObject([{ kind, ...over, bound: 10 }]);
    expect(audited).toEqual([{ action: "warned", client: null, detail: kind }]);
    await look();
    expect(warned).toHaveLength(2);
  });

  it("goes on when it could not look once, and without what the system does not tell", async () => {
    use = new Error("no such thing");
    await look();
    expect(warned).toMatchObject([{ level: 50, err: { message: "no such thing" } }]);
    use = { ...fine, freeBytes: null, openCalls: 11 };
    await look();
    expect(warned.slice(1)).toMatchObject([{ kind: "openCalls" }]);
  });

  it("looks no more once it is closed", async () => {
    monitor.close();
    use = { ...fine, openCalls: 11 };
    await look();
    expect(warned).toEqual([]);
  });
});

it("the gauge reads this very process and its disk", async () => {
  const gauge = openHostGauge(tmpdir());
  await vi.waitFor(async () => {
    // The loop is late on purpose.
    for (const until = performance.now() + 120; performance.now() < until; );
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    const use = await gauge.read({ openCalls: 1, waitingTasks: 2 });
    expect(use).toMatchObject({ openCalls: 1, waitingTasks: 2 });
    expect(use.loopDelay).toBeGreaterThan(50);
    expect(use.memoryBytes).toBeGreaterThan(1_000_000);
    expect(use.freeBytes).toBeGreaterThan(0);
  });
  gauge.close();
  const elsewhere = openHostGauge("/no/such/folder");
  expect((await elsewhere.read({ openCalls: 0, waitingTasks: 0 })).freeBytes).toBeNull();
  elsewhere.close();
});
