import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { localClient } from "../shared/client-name";
import type { Settings } from "../shared/settings";
import { type AuditLog, openAuditLog } from "./audit-log";
import { FolderModelLibrary } from "./backend/model-library";
import { ProcessRecord } from "./backend/process-record";
import { Clients } from "./clients";
import { type Endpoint, removeEndpoint, writeEndpoint } from "./endpoint-file";
import type { Backend } from "./engine/backend";
import { type Clock, systemClock } from "./engine/clock";
import { Engine } from "./engine/engine";
import type { Job } from "./engine/job";
import type { ModelsAside } from "./engine/models";
import type { TaskService } from "./engine/task-service";
import type { Tool } from "./engine/tool";
import type { ClientDirectory } from "./faces/desktop/client-calls";
import { faces } from "./faces/faces";
import type { McpExtra, McpRegistration } from "./faces/mcp/registration";
import { createHttpServer, listen } from "./http/server";
import { jobs } from "./jobs/jobs";
import { tools } from "./jobs/tools";
import { Catalogue, specBySettings } from "./model-catalogue";
import { FolderSnapshots } from "./snapshots";
import { openDatabase } from "./store/database";
import { lockFolder } from "./store/folder-lock";
import { SqliteStore } from "./store/sqlite-store";

export interface HostOptions {
  readonly dataDir: string;
  /** Where models are looked for; the first folder that has one of a name wins. */
  readonly modelFolders: { readonly embedded: string; readonly user: string };
  /** Clients that get a token each, besides `local`. */
  readonly clients: readonly string[];
  readonly settings: Settings;
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
}

export interface Host {
  /** The one door to the engine, for a face that needs no network. */
  readonly service: TaskService;
  /** Who may call over the network. */
  readonly clients: ClientDirectory;
  /** Opens the endpoint and writes `endpoint.json`. Throws an error in plain words when the port cannot be had. */
  listen(): Promise<Endpoint>;
  /** Stops listening, ends open streams, stops what runs and leaves it as a crash would. Idempotent. */
  close(): Promise<void>;
}

/**
 * Puts the host together, in the order that its parts need each other, and takes it apart in reverse.
 * Throws FolderInUseError when another host serves the same data, ProblemError `storage_failed` when it cannot be read.
 */
export async function startHost(options: HostOptions): Promise<Host> {
  const { dataDir, log, backend } = options;
  const closers: Closers = [];
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= closeAll(closers);
    return closing;
  };
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const lock = await lockFolder(dataDir);
    closers.push(() => lock.release());
    new ProcessRecord(dataDir, log).endLeftover();
    const store = openStore(dataDir, log);
    closers.push(() => store.close());
    const audit = openAuditLog(join(dataDir, "audit.log"), options.clock ?? systemClock, log);
    closers.push(() => audit.close());
    const { service } = startEngine(options, store, audit, closers);
    const clients = new Clients(store, options.clock ?? systemClock, audit.write);
    return { service, clients, listen: () => serve(options, service, clients, closers), close };
  } catch (error) {
    closers.unshift(() => backend.close());
    await close();
    throw error;
  }
}

async function serve(
  options: HostOptions,
  service: TaskService,
  clients: Clients,
  closers: Closers,
): Promise<Endpoint> {
  const { dataDir, settings, log, version, clock = systemClock } = options;
  const app = await createHttpServer({
    authenticate: clients.authenticate,
    settings,
    log,
    version,
    faces: faces({ service, settings, registration: registrationOf(options), clock, version }),
  });
  closers.push(() => app.close());
  const endpoint = endpointOf(await listen(app, settings.port), clients, options);
  writeEndpoint(dataDir, endpoint);
  closers.push(() => removeEndpoint(dataDir, endpoint));
  return endpoint;
}

function openStore(dataDir: string, log: Logger): SqliteStore {
  const { database, setAside } = openDatabase(join(dataDir, "simmer.db"));
  if (setAside !== null)
    log.error({ setAside }, "the database was damaged: it is kept under another name, a new one begins");
  return new SqliteStore(database);
}

function startEngine(options: HostOptions, store: SqliteStore, audit: AuditLog, closers: Closers): Engine {
  const { settings, log, backend, dataDir, clock = systemClock } = options;
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
    audit: audit.write,
    onBug: (error, task) => log.error({ err: error, task }, "a fault of Simmer"),
  });
  engine.start();
  closers.push(async () => {
    const idle = engine.close();
    // Not after that: a backend that does not hear the abort of its runs is ended by its own close.
    await backend.close().finally(() => idle);
  });
  return engine;
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
