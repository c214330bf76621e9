// One side of the bench of creates, a process of its own: the route, the guard and the engine, with the store named.
import { join } from "node:path";
import { pino } from "pino";
import { Clients } from "../../electron/clients";
import { systemClock } from "../../electron/engine/clock";
import { newIds } from "../../electron/engine/ids";
import { Ledger } from "../../electron/engine/ledger";
import { People } from "../../electron/engine/people";
import type { TaskStore } from "../../electron/engine/store";
import { TaskService } from "../../electron/engine/task-service";
import { lmspFace } from "../../electron/faces/lmsp/face";
import { createHttpServer, listen } from "../../electron/http/server";
import { openDatabase } from "../../electron/store/database";
import { MemoryStore } from "../../electron/store/memory-store";
import { SqliteStore } from "../../electron/store/sqlite-store";
import { settingsSchema } from "../../shared/settings";
import type { Task } from "../../shared/task";

const [, , kind, folder = ""] = process.argv;

/** Answers as if the task were stored. */
class NoStore extends MemoryStore {
  #row = 0;

  override insert(task: Omit<Task, "row">): Task {
    return { ...task, row: ++this.#row };
  }
  override addChange(): void {
    // Nothing is kept.
  }
  override addEvents(): void {
    // Nothing is kept.
  }
}

const log = pino({ level: "silent" });
const settings = settingsSchema.parse({
  port: 0,
  "limits.queue_per_client": 1_000_000,
  "limits.queue": 1_000_000,
  "limits.requests_per_second": 1_000_000,
  "limits.request_burst": 1_000_000,
});
const store: TaskStore =
  kind === "stored" ? new SqliteStore(openDatabase(join(folder, "bench.db")).database) : new NoStore();
const ledger = new Ledger(store, systemClock, newIds(Date.now), (error) => log.error(error));
// Tasks only wait: what is measured is the create.
const nothing = () => undefined;
const runner = { enqueue: nothing, stop: nothing, forget: nothing, answered: nothing, position: () => 1 };
const catalogue = { list: async () => [], choose: async () => "m", forgive: nothing };
const service = new TaskService({
  ledger,
  store,
  runner,
  catalogue,
  settings,
  clock: systemClock,
  people: new People(),
  audit: nothing,
});
ledger.load();
const clients = new Clients(store, systemClock, nothing);
clients.load();
const token = clients.issueToken("local");
const app = await createHttpServer({
  authenticate: clients.authenticate,
  settings,
  log,
  version: "0",
  faces: [lmspFace(service, settings)],
});
process.send?.({ url: await listen(app, 0), token });
process.on("disconnect", () => process.exit(0));
