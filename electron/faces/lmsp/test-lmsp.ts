import type { InjectOptions } from "fastify";
import { ProblemError } from "../../../shared/problem";
import type { Settings } from "../../../shared/settings";
import { settingsSchema } from "../../../shared/settings";
import type { Backend } from "../../engine/backend";
import { type Clock, systemClock } from "../../engine/clock";
import { Engine } from "../../engine/engine";
import type { Job } from "../../engine/job";
import type { Ledger } from "../../engine/ledger";
import type { InstalledModel, ModelCatalogue } from "../../engine/models";
import type { Scheduler } from "../../engine/scheduler";
import type { TaskStore } from "../../engine/store";
import type { TaskService } from "../../engine/task-service";
import { noSnapshots } from "../../engine/test-engine";
import type { HttpApp } from "../../http/app";
import { owner, testServer } from "../../http/test-server";
import { lmspFace } from "./face";
import type { TaskObject } from "./schemas";

export interface TestLmspParts {
  readonly store: TaskStore;
  readonly backend: Backend;
  readonly jobs: readonly Job[];
  /** Ids; the first is the default. */
  readonly models: readonly string[];
  readonly settings?: Partial<Settings>;
  readonly clock?: Clock;
}

/** The LMSP face over a real engine, for tests; the store, the backend and the jobs are the test's. */
export class TestLmsp implements AsyncDisposable {
  readonly app: HttpApp;
  readonly service: TaskService;
  readonly ledger: Ledger;
  /** What was logged at `error`. */
  readonly logged: readonly unknown[];
  readonly #scheduler: Scheduler;
  readonly #backend: Backend;

  private constructor(parts: TestLmspParts, app: HttpApp, engine: Engine, logged: readonly unknown[]) {
    this.app = app;
    this.service = engine.service;
    this.ledger = engine.ledger;
    this.logged = logged;
    this.#scheduler = engine.scheduler;
    this.#backend = parts.backend;
  }

  static async start(parts: TestLmspParts): Promise<TestLmsp> {
    const logged: unknown[] = [];
    const settings = settingsSchema.parse(parts.settings ?? {});
    const engine = startEngine(parts, settings, logged);
    const face = lmspFace(engine.service, settings);
    const app = await testServer(parts.settings, (scope) => void face.register(scope), logged);
    return new TestLmsp(parts, app, engine, logged);
  }

  ask(method: string, path: string, headers: Record<string, string> = {}, payload?: InjectOptions["payload"]) {
    const json = typeof payload === "object" ? { "content-type": "application/json" } : {};
    return this.app.inject({
      method: method as "GET",
      url: `/lmsp/v1${path}`,
      headers: { ...owner, ...json, ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
  }

  get(path: string, headers: Record<string, string> = {}) {
    return this.ask("GET", path, headers);
  }

  /** Asks for a task of this `input`: a text, or a whole response request. */
  post(input: string | object, envelope: object = {}, headers: Record<string, string> = {}) {
    const request = typeof input === "string" ? { input } : input;
    return this.ask("POST", "/tasks", headers, { type: "response", input: request, ...envelope });
  }

  async create(
    input: string | object = "Hi",
    envelope: object = {},
    headers: Record<string, string> = {},
  ): Promise<TaskObject> {
    const answer = await this.post(input, envelope, headers);
    if (answer.statusCode !== 202) throw new Error(`${answer.statusCode} ${answer.body}`);
    return answer.json();
  }

  async task(id: string): Promise<TaskObject> {
    return (await this.get(`/tasks/${id}`)).json();
  }

  /** Resolves when the task has this status, by what the ledger publishes. */
  async until(id: string, status: string): Promise<void> {
    await new Promise<void>((resolve) => {
      const leave = this.ledger.subscribe((fact) => {
        if (fact.kind === "moved" && fact.task.id === id && fact.task.status === status) done();
      });
      const done = () => {
        leave();
        resolve();
      };
      const caller = { client: "local", says: null };
      if (this.service.get(caller, {}, id).status === status) done();
    });
  }

  /** The frames of the whole stream, each with its text; waits for its end. */
  async frames(id: string, headers: Record<string, string> = {}, query = ""): Promise<string[]> {
    return framesOf((await this.get(`/tasks/${id}/events${query}`, headers)).body);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.close();
    const idle = this.#scheduler.close();
    await this.#backend.close();
    await idle;
  }
}

/** The frames of a stream, without comments. Throws when the last one lacks its blank line. */
export function framesOf(stream: string): string[] {
  const frames = stream.split("\n\n");
  if (frames.pop() !== "") throw new Error(`The stream ends inside a frame: ${stream.slice(-200)}`);
  return frames.filter((frame) => !frame.startsWith(":"));
}

export function eventsOf(frames: readonly string[]): string[] {
  return frames.map((frame) => /^event: (.*)$/m.exec(frame)?.[1] ?? "");
}

// biome-ignore lint/suspicious/noExplicitAny: what an event holds is what each test looks at.
export function dataOf(frame: string | undefined): any {
  return JSON.parse(/^data: (.*)$/m.exec(frame ?? "")?.[1] ?? "null");
}

function startEngine(parts: TestLmspParts, settings: Settings, logged: unknown[]): Engine {
  const installed = parts.models.map(
    (id): InstalledModel => ({ id, path: `/${id}.gguf`, sizeBytes: 1, embedded: false, contextLength: 512 }),
  );
  const engine = new Engine({
    ...parts,
    settings,
    library: { list: async () => installed, find: async (id) => installed.find((model) => model.id === id) },
    specOf: ({ id, path }) => ({
      ...{ id, path, contextLength: null, threads: 1, gpu: false },
      parallel: settings["limits.parallel"],
    }),
    catalogue: catalogueOf(installed),
    clock: parts.clock ?? systemClock,
    snapshots: noSnapshots,
    audit: () => undefined,
    onBug: (error) => logged.push(error),
  });
  engine.start();
  return engine;
}

function catalogueOf(installed: readonly InstalledModel[]): ModelCatalogue {
  return {
    list: async () =>
      installed.map(({ path: _, ...model }, index) => ({
        ...model,
        default: index === 0,
        loaded: false,
        putAside: null,
      })),
    choose: async (requested) => {
      const model = installed.find(({ id }) => id === (requested ?? installed[0]?.id));
      if (model === undefined) throw new ProblemError("model_not_found", `There is no model "${requested}".`);
      return model.id;
    },
    forgive: () => undefined,
  };
}
