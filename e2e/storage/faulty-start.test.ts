import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Database } from "../../electron/store/database";
import { type LmspClient, type LmspTask, refusal } from "../lmsp-client";
import { eventually, FaultyHost } from "./faulty-host";
import { SmallDisk } from "./small-disk";

/** A task that has ended, in a host that has stopped; its task as any client reads it. */
async function leaveTask(host: FaultyHost): Promise<LmspTask> {
  const lmsp = await host.lmsp();
  const { id } = await lmsp.create("What is the capital of Japan?");
  const task = await lmsp.until(id, "succeeded");
  expect(await host.stop()).toBe(0);
  return task;
}

/** Nothing can be read or made, and every face says why. */
async function expectShut(host: FaultyHost, id: string, why: RegExp): Promise<LmspClient> {
  const lmsp = await host.lmsp();
  const answers = [lmsp.request("/tasks"), lmsp.request(`/tasks/${id}`), lmsp.post("/tasks", body("new"))];
  for (const answer of await Promise.all(answers)) {
    expect(((await answer.clone().json()) as { detail: string }).detail).toMatch(why);
    expect(await refusal(answer)).toEqual([507, "storage_failed"]);
  }
  expect(await mcpError(await host.endpoint())).toMatchObject({ data: { code: "storage_failed" } });
  expect((await lmsp.request("/models")).status).toBe(200);
  expect(host.errors).toMatch(why);
  return lmsp;
}

/** The task that was there is there, and new ones are made. */
async function expectWell(host: FaultyHost, before: LmspTask): Promise<void> {
  const lmsp = await host.lmsp();
  await eventually(async () => expect((await lmsp.request(`/tasks/${before.id}`)).status).toBe(200));
  expect(await lmsp.task(before.id)).toEqual(before);
  await lmsp.until((await lmsp.create("What is the capital of Italy?")).id, "succeeded");
}

function body(input: string) {
  return { type: "response", input: { input } };
}

async function mcpError({ mcp, token }: { readonly mcp: string; readonly token: string }): Promise<unknown> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
  };
  const response = await fetch(mcp, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tasks/get",
      "mcp-name": "task_1",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: { taskId: "task_1", _meta: meta } }),
  });
  return ((await response.json()) as { error?: unknown }).error;
}

describe("a host starts where its tasks cannot be used, says so, and goes on by itself when they can:", () => {
  let dataDir: string;
  let path: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "simmer-storage-"));
    path = join(dataDir, "simmer.db");
    return () => rmSync(dataDir, { recursive: true, force: true });
  });

  // Case B77.
  it("the database is locked by another program", async () => {
    const before = await leaveTask(await FaultyHost.start({ dataDir }));
    const other = new Database(path, { timeout: 0 });
    other.exec("BEGIN IMMEDIATE");
    await using host = await FaultyHost.start({ dataDir });
    await expectShut(host, before.id, /in use by another program. Close that program/);
    other.close();
    await expectWell(host, before);
    expect(await host.stop()).toBe(0);
  });

  it("the database was written by a newer Simmer, which is left as it is", async () => {
    const before = await leaveTask(await FaultyHost.start({ dataDir }));
    const copy = join(dataDir, "as-it-was.db");
    copyFileSync(path, copy);
    const newer = new Database(path, { timeout: 0 });
    newer.exec("PRAGMA user_version = 999");
    newer.close();
    const bytes = readFileSync(path);
    await using host = await FaultyHost.start({ dataDir });
    await expectShut(host, before.id, /newer Simmer.*Use the newer Simmer, or another data folder/);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    copyFileSync(copy, path);
    await expectWell(host, before);
  });

  // Case B77.
  it("the data folder may not be written", async () => {
    await using disk = await SmallDisk.mount(64);
    const options = { dataDir: disk.folder, seenAt: disk.outside, via: disk.inside };
    const before = await leaveTask(await FaultyHost.start(options));
    disk.run(`mount -o remount,ro '${disk.folder}'`);
    await using host = await FaultyHost.start(options);
    expect((await fetch(`${host.url}/lmsp/v1/tasks`)).status).toBe(401);
    expect(host.hasEndpointFile).toBe(false);
    expect(host.errors).toContain(`Simmer listens on ${host.url}, but ${disk.folder}/endpoint.json`);
    disk.run(`mount -o remount,rw '${disk.folder}'`);
    await expectWell(host, before);
    expect(await host.stop()).toBe(0);
    expect(host.hasEndpointFile).toBe(false);
  });

  // Case B77.
  it("the database's file may not be written, and drafts of a run that was killed lie beside it", async () => {
    await using disk = await SmallDisk.mount(64);
    const options = { dataDir: disk.folder, seenAt: disk.outside, via: disk.inside };
    const before = await leaveTask(await FaultyHost.start(options));
    for (const draft of ["endpoint.json.0123456789ab.tmp", "settings.json.tmp-1234", "simmer.db.tmp"])
      writeFileSync(join(disk.outside, draft), "{ half");
    const file = `'${disk.folder}/simmer.db'`;
    disk.run(`mount --bind ${file} ${file} && mount -o remount,ro,bind ${file}`);
    await using host = await FaultyHost.start(options);
    await expectShut(host, before.id, /may not be written. Let Simmer write there/);
    disk.run(`umount ${file}`);
    await expectWell(host, before);
  });

  // Case B79.
  it("the disk is so full that not even the host's address can be written", async () => {
    await using disk = await SmallDisk.mount(64);
    const options = { dataDir: disk.folder, seenAt: disk.outside, via: disk.inside };
    const before = await leaveTask(await FaultyHost.start(options));
    disk.fill();
    await using host = await FaultyHost.start(options);
    expect((await fetch(`${host.url}/lmsp/v1/tasks`)).status).toBe(401);
    expect([host.hasEndpointFile, host.errors]).toEqual([false, expect.stringContaining("ENOSPC")]);
    expect(host.errors).toMatch(/simmer\.db failed: .*room on/);
    expect(readdirSync(disk.outside).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    disk.free();
    await expectWell(host, before);
  });

  it("the data folder cannot be made", async () => {
    const inTheWay = join(dataDir, "file");
    writeFileSync(inTheWay, "");
    await using host = await FaultyHost.start({ dataDir: join(inTheWay, "data") });
    expect(host.errors).toMatch(/cannot be made.*Choose another with --data-dir/);
    rmSync(inTheWay);
    await (await host.lmsp()).create("What is the capital of Spain?");
  });
});

// Case B76.
describe("a host whose files were damaged starts, keeps them under another name, and begins anew:", () => {
  const damages: readonly (readonly [string, (path: string) => void])[] = [
    ["truncated to nothing", (path) => truncateSync(path, 0)],
    ["truncated to half", (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ["filled with NUL", (path) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
  ];

  it.each(damages)("database and settings %s", async (_, damage) => {
    const dataDir = mkdtempSync(join(tmpdir(), "simmer-storage-"));
    const settings = '{"limits.parallel": 3}\n';
    writeFileSync(join(dataDir, "settings.json"), settings);
    writeFileSync(join(dataDir, "of-the-person.txt"), "not ours");
    await leaveTask(await FaultyHost.start({ dataDir }));
    for (const name of ["simmer.db", "settings.json"]) damage(join(dataDir, name));
    const bytes = readFileSync(join(dataDir, "simmer.db"));

    await using host = await FaultyHost.start({ dataDir });
    const lmsp = await host.lmsp();
    expect(await (await lmsp.request("/tasks")).json()).toMatchObject({ data: [] });
    await lmsp.until((await lmsp.create("What is the capital of Japan?")).id, "succeeded");
    const kept = readdirSync(dataDir).filter((name) => name.includes("damaged"));
    const [database = ""] = kept.filter((name) => /^simmer\.db\.damaged-.*Z$/.test(name));
    expect(readFileSync(join(dataDir, database)).equals(bytes)).toBe(true);
    expect(kept.filter((name) => name.startsWith("settings"))).toHaveLength(1);
    for (const name of kept) expect(host.errors).toContain(name.replace(/-(wal|shm)$/, ""));
    expect(readFileSync(join(dataDir, "of-the-person.txt"), "utf8")).toBe("not ours");
    expect(await host.stop()).toBe(0);
    rmSync(dataDir, { recursive: true });
  });
});
