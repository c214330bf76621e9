// A start of the engine for the bench, a process of its own: `fill` makes the tasks, `boot` starts on them and says how
// many milliseconds it took from opening the file until everything that waits is in the queue again.

import { ScriptedBackend } from "../../electron/backend/scripted/scripted-backend";
import { systemClock } from "../../electron/engine/clock";
import { Engine } from "../../electron/engine/engine";
import type { Snapshots } from "../../electron/engine/snapshots";
import { jobs } from "../../electron/jobs/jobs";
import { openDatabase } from "../../electron/store/database";
import { sampleChange, sampleDelta, sampleEvent, sampleTask } from "../../electron/store/sample";
import { SqliteStore } from "../../electron/store/sqlite-store";
import { restartPolicies } from "../../shared/lifecycle";
import { settingsSchema } from "../../shared/settings";

const [, , what, path = "", count = "0"] = process.argv;
const input = { messages: [{ role: "user", text: "Hi" }], options: { stop: [], format: { type: "text" } } };
/** No more than this run at once on any machine. */
const running = 16;
const snapshots: Snapshots = { fileOf: () => null, drop: () => undefined, keepOnly: () => undefined };

function fill(): void {
  const store = new SqliteStore(openDatabase(path).database);
  store.transaction("synced", () => {
    for (let index = 0; index < Number(count); index += 1) {
      const id = `task_${index}`;
      const lastSeq = index < running ? 5 : 0;
      const status = index < running ? "running" : "queued";
      const onRestart = restartPolicies[index % restartPolicies.length] ?? "fail";
      store.insert(
        sampleTask(id, { status, onRestart, responseId: `resp_${index}`, rev: index + 1, lastSeq }),
        input,
        null,
      );
      store.addChange(sampleChange(id));
      store.addEvents([sampleEvent(id, 0)]);
      for (let seq = 1; seq <= lastSeq; seq += 1) store.addEvents([sampleEvent(id, seq, sampleDelta("word "))]);
    }
  });
  store.close();
}

function boot(): number {
  const from = performance.now();
  const engine = new Engine({
    store: new SqliteStore(openDatabase(path).database),
    backend: new ScriptedBackend({ models: { m: { text: "x", hold: ["load"] } } }),
    library: { list: async () => [], find: async () => undefined },
    catalogue: { list: async () => [], choose: async () => "m", forgive: () => undefined },
    specOf: ({ id, path: file }) => ({ id, path: file, contextLength: null, threads: 1, parallel: 1, gpu: false }),
    jobs,
    snapshots,
    settings: settingsSchema.parse({}),
    clock: systemClock,
    audit: () => undefined,
    onBug: (error) => console.error(error),
  });
  engine.start();
  return performance.now() - from;
}

if (what === "fill") fill();
else process.send?.(boot());
process.exit(0);
