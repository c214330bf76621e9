import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pino } from "pino";
import { ScriptedBackend } from "../../electron/backend/scripted/scripted-backend";
import { type Host, startHost } from "../../electron/compose";
import { systemClock } from "../../electron/engine/clock";
import { clientCalls } from "../../electron/faces/desktop/client-calls";
import { DesktopFace, type Handlers, type WindowCalls } from "../../electron/faces/desktop/desktop-face";
import { askPerson } from "../../electron/jobs/ask-person";
import { answerCall, type CallAnswer } from "../../electron/window/serve-calls";
import type { CallName } from "../../shared/desktop/contract";
import { feedSchema } from "../../shared/desktop/feed";
import { isTerminal } from "../../shared/lifecycle";
import { settingsSchema } from "../../shared/settings";
import type { DesktopCall } from "./desktop-calls";

const models = {
  writer: { parallel: 8 },
  endless: { text: "on and ", endless: true, delay: 20, parallel: 8 },
} as const;
const person = { client: "desktop", says: null, seesAll: true } as const;

/** What Electron does for a window, without Electron. */
const windowCalls: Handlers<WindowCalls> = {
  preferences: () => ({ theme: "system" }),
  setPreferences: () => null,
  copy: () => null,
};

/** The product's host, and the window's side of it up to where Electron begins. */
export class DesktopHost implements AsyncDisposable {
  /** What went wrong besides the answers, each in words. */
  readonly faults: string[] = [];
  readonly #folder: string;
  readonly #host: Host;
  readonly #face: DesktopFace;
  readonly #handlers: Handlers<CallName>;

  static async start(): Promise<DesktopHost> {
    const folder = mkdtempSync(join(tmpdir(), "simmer-fuzz-"));
    mkdirSync(join(folder, "models"));
    for (const name of Object.keys(models)) writeFileSync(join(folder, "models", `${name}.gguf`), "");
    const faults: string[] = [];
    const host: Host = await startHost({
      dataDir: join(folder, "data"),
      modelFolders: { embedded: join(folder, "none"), user: join(folder, "models") },
      clients: [],
      settings: settingsSchema.parse({ port: 0, "models.default": "writer", "limits.queue_per_client": 40 }),
      version: "0.0.0",
      log: pino(
        { level: "error" },
        lines((line) => faults.push(line)),
      ),
      backend: new ScriptedBackend({ models }),
    });
    return new DesktopHost(folder, host, faults);
  }

  private constructor(folder: string, host: Host, faults: string[]) {
    this.#folder = folder;
    this.#host = host;
    this.faults = faults;
    this.#face = new DesktopFace({
      service: host.service,
      clock: systemClock,
      host: () => ({
        url: null,
        version: "0",
        endpointProblem: null,
        inferenceProblem: null,
        loadedModels: [],
        storage: null,
        warnings: [],
      }),
      send: (feed) => {
        const { error } = feedSchema.safeParse(feed);
        if (error !== undefined) faults.push(`a feed is not what the contract says: ${error.message}`);
      },
    });
    this.#handlers = { ...this.#face.handlers, ...clientCalls(host.clients), ...windowCalls };
  }

  /** An agent asks the person something. */
  async ask(): Promise<void> {
    const { title, input } = askPerson.draft({ question: "Is this all right?" });
    await this.#host.service.create(
      { client: "agent", says: null },
      {
        origin: "mcp",
        listed: true,
        job: askPerson.job,
        title,
        input,
        model: null,
        unnamedModel: "none",
        onRestart: "fail",
        ttl: null,
        answers: [],
        faceData: null,
        idempotency: null,
      },
    );
  }

  /** As it comes over from a page. Undefined when it cannot even be sent. */
  async call({ name, input }: DesktopCall): Promise<CallAnswer | undefined> {
    const sent = cloned({ name, input: this.#resolved(input) });
    if (sent === undefined) return undefined;
    const onBug = (error: unknown) => this.faults.push(`a bug: ${error instanceof Error ? error.stack : error}`);
    return answerCall(this.#handlers, sent.name, sent.input, onBug);
  }

  /** Cancels all; resolves when everything has ended. */
  async calm(): Promise<void> {
    for (;;) {
      const open = this.#host.service.list(person, {}, { limit: 10_000 }).filter(({ status }) => !isTerminal(status));
      if (open.length === 0) return;
      for (const { id } of open) this.#host.service.cancel(person, {}, id);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#face.close();
    await this.#host.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Puts ids that are known in place of what stands for them. */
  #resolved(input: unknown): unknown {
    if (typeof input !== "object" || input === null || !Object.hasOwn(input, "id")) return input;
    const { id, questionId } = input as { id: unknown; questionId?: unknown };
    const task = this.#at(this.#host.service.list(person, {}, { limit: 40 }), id, "task")?.id;
    if (task === undefined) return input;
    const question = this.#at(this.#host.service.questions(person, {}, task), questionId, "question")?.id;
    return { ...input, id: task, ...(question === undefined ? {} : { questionId: question }) };
  }

  #at<T>(known: readonly T[], named: unknown, kind: string): T | undefined {
    if (typeof named !== "object" || named === null) return undefined;
    return known[Number((named as Record<string, unknown>)[kind]) % known.length];
  }
}

function cloned(call: DesktopCall): DesktopCall | undefined {
  try {
    return structuredClone(call);
  } catch {
    return undefined; // what no page can send
  }
}

function lines(take: (line: string) => void): Writable {
  return new Writable({
    write(line, _encoding, done) {
      take(String(line));
      done();
    },
  });
}
