import { join } from "node:path";
import type { Logger } from "pino";
import { localClient } from "../shared/client-name";
import { isStorageFailure } from "../shared/problem";
import type { Settings } from "../shared/settings";
import type { StorageTrouble } from "../shared/storage-trouble";
import { AuditTrail } from "./audit-trail";
import { FolderModelLibrary } from "./backend/model-library";
import { ProcessRecord } from "./backend/process-record";
import { Clients } from "./clients";
import { type Endpoint, EndpointFile } from "./endpoint-file";
import type { Backend } from "./engine/backend";
import { type Clock, enduring, systemClock } from "./engine/clock";
import { Engine } from "./engine/engine";
import type { Job } from "./engine/job";
import type { ModelsAside } from "./engine/models";
import type { TaskService } from "./engine/task-service";
import type { Tool } from "./engine/tool";
import type { ClientDirectory } from "./faces/desktop/client-calls";
import { faces } from "./faces/faces";
import type { McpExtra, McpRegistration } from "./faces/mcp/registration";
import { FolderArchive } from "./folder-archive";
import { type HostArchive, hostArchive } from "./host-archive";
import { createHttpServer, listen } from "./http/server";
import { jobs } from "./jobs/jobs";
import { tools } from "./jobs/tools";
import { Catalogue, specBySettings } from "./model-catalogue";
import { FolderSnapshots } from "./snapshots";
import { FolderDatabase } from "./store/folder-database";
import { PatientDatabase } from "./store/patient-database";
import { SqliteStore } from "./store/sqlite-store";

export interface HostOptions {
  readonly dataDir: string;
  /** Where models are looked for; the first folder that has one of a name wins. */
  readonly modelFolders: { readonly embedded: string; readonly user: string };
  /** Clients that get a token each, besides `local`. */
  readonly clients: readonly string[];
  readonly settings: Settings;
  /** Those of the settings file, for an export; none when absent. */
  readonly keptSettings?: () => Partial<Settings>;
  readonly version: string;
  readonly log: Logger;
  readonly backend: Backend;
  /** Which models the backend has put aside; none when absent. */
  readonly aside?: ModelsAside;
  /** What a task can be; the product's when absent. */
  readonly jobs?: readonly Job[];
  /** What an agent can call; the product's when absent. */
  readonly tools?: readonly Tool[];
  /** What is offered besides to agents that speak MCP. */
  readonly extra?: McpExtra;
  /** The system's when absent. */
  readonly clock?: Clock;
  /** Told of each change in how the tasks are kept; null when all is well. */
  readonly onStorage?: (trouble: StorageTrouble | null) => void;
  /** Told in a sentence for the person what was found wrong and dealt with. */
  readonly onWarning?: (text: string) => void;
}

export interface Host {
  /** The one door to the engine, for a face that needs no network. */
  readonly service: TaskService;
  /** Who may call over the network. */
  readonly clients: ClientDirectory;
  /** All tasks at once: backup, export, import. */
  readonly archive: HostArchive;
  /** Opens the endpoint and writes `endpoint.json`. Throws an error in plain words when the port cannot be had. */
  listen(): Promise<Endpoint>;
  /** Stops listening, ends open streams, stops what runs and leaves it as a crash would. Idempotent. */
  close(): Promise<void>;
}

/**
 * Puts the host together, in the order that its parts need each other, and takes it apart in reverse. It starts also
 * where no task can be read or kept; then it answers so, until it can. Throws FolderInUseError when another host serves
 * the same data.
 */
export async function startHost(given: HostOptions): Promise<Host> {
  const options = { ...given, clock: enduringClock(given) };
  const { backend, clock } = options;
  const closers: Closers = [];
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= closeAll(closers);
    return closing;
  };
  try {
    const database = prepareDatabase(options, closers);
    const store = new SqliteStore(database);
    const trail = new AuditTrail(options);
    closers.push(() => trail.close());
    const engine = prepareEngine(options, store, trail, closers);
    const clients = new Clients(store, clock, trail.note);
    database.start(() => {
      clients.load();
      engine.start();
    });
    const { service } = engine;
    trail.watch({ waitingTasks: () => service.waiting });
    const folder = prepareArchive(options, closers);
    const archive = hostArchive(folder, { ledger: engine.ledger, clients, audit: trail.note });
    return { service, clients, archive, listen: () => serve(options, service, clients, trail, closers), close };
  } catch (error) {
    closers.unshift(() => backend.close());
    await close();
    throw error;
  }
}

type Options = HostOptions & Required<Pick<HostOptions, "clock">>;

async function serve(
  options: Options,
  service: TaskService,
  clients: Clients,
  trail: AuditTrail,
  closers: Closers,
): Promise<Endpoint> {
  const { dataDir, settings, log, version, clock, onWarning } = options;
  const app = await createHttpServer({
    authenticate: clients.authenticate,
    settings,
    log,
    version,
    onRefused: trail.refused,
    faces: faces({ service, settings, registration: registrationOf(options), clock, version }),
  });
  closers.push(() => app.close());
  trail.watch({ openCalls: () => app.openCalls.count });
  const endpoint = endpointOf(await listen(app, settings.port), clients, options);
  const warn = (text: string) => {
    log.warn(text);
    onWarning?.(text);
  };
  const file = new EndpointFile({ folder: dataDir, endpoint, clock, warn });
  closers.push(() => file.remove());
  file.write();
  return endpoint;
}

/** One timer that storage fails must not end the host. */
function enduringClock({ clock = systemClock, log }: HostOptions): Clock {
  return enduring(clock, isStorageFailure, (error) => log.error({ err: error }, "storage failed"));
}

function prepareDatabase(options: Options, closers: Closers): PatientDatabase {
  const { dataDir, log, clock, onStorage, onWarning } = options;
  const folder = new FolderDatabase({
    folder: dataDir,
    onTaken: () => new ProcessRecord(dataDir, log).endLeftover(),
    onSetAside: (kept) => {
      log.error({ setAside: kept }, "the database was damaged: it is kept under another name, a new one begins");
      onWarning?.(`The tasks that were stored are damaged. They are kept as ${kept}, and a new list begins.`);
    },
  });
  closers.push(() => folder.release());
  const database = new PatientDatabase({
    open: () => folder.open(),
    hasRoom: () => folder.hasRoom(),
    clock,
    onTrouble: (trouble) => {
      if (trouble === null) log.warn("storage is well again");
      else log.error(trouble, "storage fails; it is tried again every few seconds");
      onStorage?.(trouble);
    },
  });
  closers.push(() => database.close());
  return database;
}

function prepareEngine(options: Options, store: SqliteStore, trail: AuditTrail, closers: Closers): Engine {
  const { settings, log, backend, dataDir, clock } = options;
  const library = new FolderModelLibrary([options.modelFolders.user, options.modelFolders.embedded]);
  const engine = new Engine({
    store,
    backend,
    library,
    catalogue: new Catalogue(library, backend, store, settings, options.aside ?? noneAside),
    specOf: specBySettings(settings),
    jobs: options.jobs ?? jobs,
    snapshots: new FolderSnapshots(join(dataDir, "snapshots"), (error, what) => log.warn(error, what)),
    settings,
    clock,
    audit: trail.note,
    onBug: (error, task) => log.error({ err: error, task }, "a fault of Simmer"),
  });
  closers.push(async () => {
    const idle = engine.close();
    // Not after that: a backend that does not hear the abort of its runs is ended by its own close.
    await backend.close().finally(() => idle);
  });
  return engine;
}

function prepareArchive({ dataDir, version, clock, keptSettings: settings = () => ({}) }: Options, closers: Closers) {
  const archive = new FolderArchive({ dataDir, version, settings, now: () => clock.now() });
  closers.push(() => archive.close());
  return archive;
}

const noneAside: ModelsAside = { reasonOf: () => null, forgive: () => undefined };

function registrationOf({ tools: given = tools, extra }: HostOptions): McpRegistration {
  return extra === undefined ? { tools: given } : { tools: given, extra };
}

function endpointOf(url: string, clients: Clients, { clients: names, version }: HostOptions): Endpoint {
  return {
    url,
    lmsp: `${url}/lmsp/v1`,
    mcp: `${url}/mcp`,
    token: clients.issueToken(localClient),
    clients: Object.fromEntries(names.map((name) => [name, clients.issueToken(name)])),
    pid: process.pid,
    version,
  };
}

type Closers = (() => void | Promise<void>)[];

/** Each part goes before the parts that it needs; one that fails to close does not keep the others open. */
async function closeAll(closers: Closers): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers.reverse()) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "The host did not close cleanly");
}
