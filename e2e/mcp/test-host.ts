import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ScriptedBackend } from "../../electron/backend/scripted/scripted-backend";
import { type Host, startHost } from "../../electron/compose";
import type { Endpoint } from "../../electron/endpoint-file";
import { type Clock, systemClock } from "../../electron/engine/clock";
import { discreetLogger } from "../../electron/host-log";
import { jobs } from "../../electron/jobs/jobs";
import { tools } from "../../electron/jobs/tools";
import type { Question } from "../../shared/question";
import { type Settings, settingsSchema } from "../../shared/settings";
import { LmspClient } from "../lmsp-client";
import { ModernClient } from "./modern-client";
import { RawClient, type RawClientOptions } from "./raw-client";
import { Desk } from "./test-tools";

/** What each of these models writes, and when; the first is the default. */
const models = {
  writer: { parallel: 8 },
  held: { parallel: 8, text: "one two three four five six", hold: ["tokens"] },
  deaf: { parallel: 8, text: "late output", hold: ["tokens"], deaf: true },
  broken: { loadFails: "the file is cut short" },
} as const;

/** Clients with a token each; `alice` is who calls when a test names nobody. */
type ClientName = "alice" | "bob";

interface TestHostOptions {
  readonly settings?: Partial<Settings>;
  readonly clock?: Clock;
}

/** The person at this desktop. */
const person = { client: "desktop", says: null, seesAll: true } as const;

/**
 * The product's own host on a real port and a real database, with a backend that follows a script and some tools more.
 * It can be started again on the same data.
 */
export class TestHost implements AsyncDisposable {
  readonly backend: ScriptedBackend;
  readonly desk: Desk;
  /** What was logged, as JSON. */
  readonly log: readonly Record<string, unknown>[];
  readonly #folder: string;
  readonly #options: TestHostOptions;
  readonly #host: Host;
  readonly #endpoint: Endpoint;
  readonly #clients: RawClient[] = [];
  #keepsFolder = false;

  private constructor(folder: string, options: TestHostOptions, parts: Awaited<ReturnType<typeof startParts>>) {
    this.#folder = folder;
    this.#options = options;
    this.backend = parts.backend;
    this.desk = parts.desk;
    this.log = parts.log;
    this.#host = parts.host;
    this.#endpoint = parts.endpoint;
  }

  static async start(options: TestHostOptions = {}): Promise<TestHost> {
    const folder = mkdtempSync(join(tmpdir(), "simmer-mcp-"));
    mkdirSync(join(folder, "models"));
    for (const name of Object.keys(models)) writeFileSync(join(folder, "models", `${name}.gguf`), "");
    return new TestHost(folder, options, await startParts(folder, options));
  }

  get service() {
    return this.#host.service;
  }

  get clients() {
    return this.#host.clients;
  }

  get url(): string {
    return this.#endpoint.mcp;
  }

  /** Stops this host; another serves the same data. Its clients are gone. */
  async restart(): Promise<TestHost> {
    this.#keepsFolder = true;
    await this[Symbol.asyncDispose]();
    return new TestHost(this.#folder, this.#options, await startParts(this.#folder, this.#options));
  }

  /** A client of 2025-11-25 with a session of its own. */
  async client(options: Partial<RawClientOptions> = {}, name: ClientName = "alice"): Promise<RawClient> {
    const client = await RawClient.connect({ url: this.url, token: this.token(name), ...options });
    this.#clients.push(client);
    return client;
  }

  /** A client of 2026-07-28. */
  modern(capabilities?: Readonly<Record<string, unknown>>, name: ClientName = "alice"): ModernClient {
    const declared = capabilities === undefined ? {} : { capabilities };
    return new ModernClient({ url: this.url, token: this.token(name), ...declared });
  }

  lmsp(name: ClientName = "alice"): LmspClient {
    return new LmspClient(this.#endpoint, this.token(name));
  }

  token(name: ClientName): string {
    const token = this.#endpoint.clients[name];
    if (token === undefined) throw new Error(`${name} has no token`);
    return token;
  }

  /** The questions of a task, as the person sees them. */
  questions(taskId: string): readonly Question[] {
    return this.service.questions(person, {}, taskId);
  }

  /** The person's answer to the task's only open question. */
  answerAtTheDesktop(taskId: string, content: Readonly<Record<string, string>>): void {
    const open = this.questions(taskId).find(({ answered }) => answered === null);
    if (open === undefined) throw new Error("No question is open");
    this.service.answer(person, {}, taskId, open.id, { action: "accept", content });
  }

  /** What the person sees of a task. */
  seenAtTheDesktop(taskId: string) {
    return this.service.get(person, {}, taskId);
  }

  cancelAtTheDesktop(taskId: string) {
    return this.service.cancel(person, {}, taskId, "cancelled by the person at this desktop");
  }

  /** Every task, also those that no list of a protocol shows. */
  everyTask() {
    return this.service.list(person, {}, { limit: 10_000 });
  }

  /** What the audit log holds, line by line. It is written without waiting, so it is read until nothing more comes. */
  async audited(): Promise<readonly Readonly<Record<string, unknown>>[]> {
    for (let length = -1; ; ) {
      const text = readFileSync(join(this.#folder, "data", "audit.log"), "utf8");
      if (text !== "" && text.length === length)
        return text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line));
      length = text.length;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Resolves when it is so. */
  async eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
    for (;;) {
      if (await isSo()) return;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clients.map((client) => client[Symbol.asyncDispose]()));
    await this.#host.close();
    if (!this.#keepsFolder) rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function startParts(folder: string, { settings = {}, clock = systemClock }: TestHostOptions) {
  const log: Record<string, unknown>[] = [];
  const desk = new Desk();
  const backend = new ScriptedBackend({ models, clock });
  const host = await startHost({
    dataDir: join(folder, "data"),
    modelFolders: { embedded: join(folder, "none"), user: join(folder, "models") },
    clients: ["alice", "bob"] satisfies ClientName[],
    settings: settingsSchema.parse({ port: 0, "models.default": "writer", ...settings }),
    version: "0.0.0",
    log: discreetLogger("trace", { write: (line) => log.push(JSON.parse(line)) }),
    backend,
    clock,
    jobs: [...jobs, ...desk.jobs],
    tools: [...tools, ...desk.tools],
  });
  return { host, backend, desk, log, endpoint: await host.listen() };
}
