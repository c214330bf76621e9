import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startChild } from "./child-of-test";
import { openDatabase } from "./database";
import { SqliteStore } from "./sqlite-store";

const writer = new URL("./crash-writer.ts", import.meta.url);

test("what was acknowledged outlives SIGKILL of the writer, again and again on one file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "simmer-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "simmer.db");
  const acknowledged: string[] = [];
  for (const [round, count] of [1, 37, 80].entries()) {
    const child = startChild(writer, path, `${round}`);
    onTestFinished(() => child.kill());
    await child.wrote(count);
    await child.kill();
    acknowledged.push(...child.lines);

    const { database, setAside } = openDatabase(path);
    expect([setAside, database.get("PRAGMA integrity_check"), database.all("PRAGMA foreign_key_check")]).toEqual([
      null,
      { integrity_check: "ok" },
      [],
    ]);
    const store = new SqliteStore(database);
    for (const id of acknowledged) {
      expect(store.task(id)).toMatchObject({ status: "running", lastSeq: 20 });
      expect(store.byIdempotencyKey("a", id)?.task.id).toBe(id);
      expect([store.events(id, -1, 99).length, store.changes(id).length]).toEqual([21, 1]);
    }
    // What was not acknowledged is there as a whole transaction, or not at all.
    for (const { id, status } of store.tasks({ limit: 9_999 }))
      expect([store.events(id, -1, 99).length, store.input(id) !== undefined]).toEqual([
        status === "queued" ? 1 : 21,
        true,
      ]);
    store.close();
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(118);
}, 90_000);
