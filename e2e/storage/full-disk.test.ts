import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Database } from "../../electron/store/database";
import { type Frame, finalEvents, frames, type LmspClient, type LmspTask, refusal } from "../lmsp-client";
import { slowModelFolder } from "../slow-model";
import { eventually, FaultyHost } from "./faulty-host";
import { SmallDisk } from "./small-disk";

const long = { model: "simmer-slow", input: "Write a long report about bees.", temperature: 0, max_output_tokens: 200 };
const short = { model: "simmer-demo", input: "What is the capital of Japan?" };

/** Creates until as many were refused, one after the other; the ids of those that were acknowledged. */
async function createUntilRefused(lmsp: LmspClient, refusals: number): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let refused = 0; refused < refusals; ) {
    const answer = await lmsp.post("/tasks", { type: "response", input: short });
    if (answer.status === 202) acknowledged.push(((await answer.json()) as LmspTask).id);
    else {
      const { detail } = (await answer.clone().json()) as { detail: string };
      expect(detail).toMatch(/simmer\.db failed: .*(Make room on it|room on it)/);
      expect(await refusal(answer)).toEqual([507, "storage_failed"]);
      refused += 1;
    }
  }
  return acknowledged;
}

async function listed(lmsp: LmspClient): Promise<string[]> {
  const answer = await lmsp.request("/tasks?limit=100");
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { data: LmspTask[] }).data.map(({ id }) => id);
}

/** What a client reads of a stream until it is cut or ends. */
async function follow(lmsp: LmspClient, id: string, seen: Frame[]): Promise<void> {
  try {
    for await (const frame of frames(await lmsp.events(id))) seen.push(frame);
  } catch {
    // Cut: the client has its cursor.
  }
}

async function worksAgain(lmsp: LmspClient): Promise<string> {
  const task = await eventually(() => lmsp.create(short));
  await lmsp.until(task.id, "succeeded");
  return task.id;
}

/** The database's files, where SQLite of this process can look at them. */
function expectSound(folder: string): void {
  const copy = mkdtempSync(join(tmpdir(), "simmer-copy-"));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  for (const name of ["simmer.db", "simmer.db-wal"])
    if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name));
  const database = new Database(join(copy, "simmer.db"), { timeout: 0 });
  expect(database.get("PRAGMA integrity_check")).toEqual({ integrity_check: "ok" });
  expect(database.all("PRAGMA foreign_key_check")).toEqual([]);
  database.close();
}

// Case B79.
test("a disk that fills up during creates and streams costs nothing that was acknowledged, and needs no restart", async () => {
  await using disk = await SmallDisk.mount(24);
  const modelsDir = await slowModelFolder();
  await using host = await FaultyHost.start({
    dataDir: disk.folder,
    seenAt: disk.outside,
    via: disk.inside,
    modelsDir,
  });
  const lmsp = await host.lmsp();
  const done = await lmsp.until((await lmsp.create(short)).id, "succeeded");
  const history = await lmsp.allEvents(done.id);
  const running = [await lmsp.create(long), await lmsp.create(long)];
  for (const { id } of running) await lmsp.until(id, "running");
  const seen: Frame[][] = running.map(() => []);
  const following = running.map(({ id }, index) => follow(lmsp, id, seen[index] ?? []));
  await eventually(() => {
    for (const frames of seen) expect(frames.at(-1)?.event).toBe("response.output_text.delta");
  });

  disk.fill();
  const acknowledged = await createUntilRefused(lmsp, 100);
  expect(await lmsp.task(done.id)).toEqual(done);
  expect(await lmsp.allEvents(done.id)).toEqual(history);
  const known = [...acknowledged.toReversed(), ...running.map(({ id }) => id).toReversed(), done.id];
  expect(await listed(lmsp)).toEqual(known);
  const refusedCancel = await lmsp.request(`/tasks/${running[0]?.id}/cancel`, { method: "POST" });
  expect([200, 507]).toContain(refusedCancel.status);

  disk.free();
  const later = await worksAgain(lmsp);
  await Promise.all(following);
  for (const [index, { id }] of running.entries()) {
    const ended = await eventually(async () => {
      const task = await lmsp.task(id);
      expect(["succeeded", "failed", "cancelled"]).toContain(task.status);
      return task;
    });
    if (ended.status === "failed") expect(ended.error).toMatchObject({ code: "storage_failed", status: 507 });
    const events = await lmsp.allEvents(id);
    expect(events.map((event) => event.id)).toEqual(events.map((_, position) => position));
    expect(events.filter(({ event }) => finalEvents.includes(event))).toHaveLength(1);
    const read = seen[index] ?? [];
    expect(read.map(({ raw }) => raw)).toEqual(events.slice(0, read.length).map(({ raw }) => raw));
  }
  for (const id of acknowledged) await lmsp.until(id, "succeeded");
  expect(await listed(lmsp)).toEqual([later, ...known]);
  await eventually(() => expect(host.errors).toContain("storage is well again"));
  expect(await host.stop()).toBe(0);
  expectSound(disk.outside);
});

// Case B79, in a form that nobody needs rights for: no file of the host may grow beyond so many bytes.
test("files that may not grow refuse creates and settings the same way, and the host stops cleanly all the while", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "simmer-storage-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const limit = (pid: number, bytes: string) => execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}`]);
  await using host = await FaultyHost.start({ dataDir });
  const lmsp = await host.lmsp();
  const { pid } = await host.endpoint();
  const done = await lmsp.until((await lmsp.create(short)).id, "succeeded");
  limit(pid, "1024:unlimited");
  const acknowledged = await createUntilRefused(lmsp, 5);
  expect(await listed(lmsp)).toEqual([...acknowledged.toReversed(), done.id]);
  limit(pid, "unlimited:unlimited");
  const later = await worksAgain(lmsp);
  expect(await listed(lmsp)).toEqual([later, ...acknowledged.toReversed(), done.id]);
  limit(pid, "1024:unlimited");
  await createUntilRefused(lmsp, 1);
  expect(await host.stop()).toBe(0);
  expectSound(dataDir);
});
