import { writeSync } from "node:fs";
import { openDatabase } from "./database";
import { sampleChange, sampleDelta, sampleEvent, sampleTask } from "./sample";
import { SqliteStore } from "./sqlite-store";

/** For tests: writes tasks into the file of its first argument until it is killed, and says each one that is committed. */
const [path = "", round = ""] = process.argv.slice(2);
const store = new SqliteStore(openDatabase(path).database);

for (let count = 0; ; count += 1) {
  const id = `task_${round}_${count}`;
  store.transaction("synced", () => {
    store.insert(sampleTask(id, { rev: count }), { text: "x".repeat(2_000) }, { key: id, fingerprint: id });
    store.addChange(sampleChange(id));
    store.addEvents([sampleEvent(id, 0)]);
  });
  const deltas = Array.from({ length: 20 }, (_, index) => sampleEvent(id, index + 1, sampleDelta("word ")));
  store.transaction("written", () => {
    store.update(id, "queued", { status: "running", lastSeq: deltas.length });
    store.addEvents(deltas);
  });
  writeSync(1, `${id}\n`);
}
