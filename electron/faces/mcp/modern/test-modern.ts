import type { Settings } from "../../../../shared/settings";
import type { ScriptedModel } from "../../../backend/scripted/script";
import type { ScriptedBackend } from "../../../backend/scripted/scripted-backend";
import { scripted, TestEngine } from "../../../engine/test-engine";
import type { HttpApp } from "../../../http/app";
import { listen } from "../../../http/server";
import { testServer } from "../../../http/test-server";
import { mcpFace } from "../face";
import { testJobs, testTools } from "../legacy/test-tools";
import type { McpRegistration } from "../registration";
import { type Capabilities, ModernAgent } from "./test-modern-agent";

export interface TestModernOptions {
  readonly model?: ScriptedModel;
  readonly settings?: Partial<Settings>;
  readonly registration?: Partial<McpRegistration>;
}

/** The face over a real engine and a real socket, for tests; tokens and time pass when the test says so. */
export class TestModern implements AsyncDisposable {
  readonly engine: TestEngine;
  readonly backend: ScriptedBackend;
  readonly app: HttpApp;
  readonly #url: string;
  readonly #logged: readonly unknown[];

  private constructor(engine: TestEngine, backend: ScriptedBackend, app: HttpApp, url: string, logged: unknown[]) {
    this.engine = engine;
    this.backend = backend;
    this.app = app;
    this.#url = url;
    this.#logged = logged;
  }

  static async start({ model, settings = {}, registration }: TestModernOptions = {}): Promise<TestModern> {
    const backend = scripted(model ?? { hold: ["tokens"], text: "one two three" });
    const engine = new TestEngine(backend, { settings, jobs: testJobs });
    const logged: unknown[] = [];
    const face = mcpFace({
      service: engine.service,
      clock: engine.clock,
      version: "1.2.3",
      registration: { tools: testTools, ...registration },
    });
    const app = await testServer(settings, (scope) => void face.register(scope), logged);
    return new TestModern(engine, backend, app, `${await listen(app, 0)}/mcp`, logged);
  }

  agent(capabilities: Capabilities = {}, token = "secret"): ModernAgent {
    return new ModernAgent(this.#url, token, capabilities);
  }

  /** Lets the model write to its end. */
  finish(): void {
    this.backend.release(1_000);
  }

  /** The newest task, hidden or not. */
  get newest() {
    const [task] = this.engine.store.tasks({ limit: 1 });
    if (task === undefined) throw new Error("There is no task");
    return task;
  }

  /** The open questions of a task. */
  open(id: string) {
    return this.engine.store.questions(id).filter(({ answered }) => answered === null);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.close();
    await this.engine.scheduler.close();
    await this.backend.close();
    const faults = [...this.engine.bugs, ...this.#logged];
    if (faults.length > 0) throw new AggregateError(faults, "Something was at fault");
  }
}
