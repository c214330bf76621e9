import type { Settings } from "../../../../shared/settings";
import type { ScriptedModel } from "../../../backend/scripted/script";
import type { ScriptedBackend } from "../../../backend/scripted/scripted-backend";
import { scripted, TestEngine } from "../../../engine/test-engine";
import type { HttpApp } from "../../../http/app";
import { listen } from "../../../http/server";
import { testServer } from "../../../http/test-server";
import { mcpFace } from "../face";
import type { McpRegistration } from "../registration";
import { TestAgent, type TestAgentOptions } from "./test-agent";
import { faultyTool, testJobs, testTools } from "./test-tools";

export interface TestLegacyOptions {
  readonly model?: ScriptedModel;
  readonly others?: Record<string, ScriptedModel>;
  readonly settings?: Partial<Settings>;
  readonly registration?: Partial<McpRegistration>;
}

/** The face over a real engine and a real socket, for tests; tokens and time pass when the test says so. */
export class TestLegacy implements AsyncDisposable {
  readonly app: HttpApp;
  readonly url: string;
  readonly engine: TestEngine;
  readonly backend: ScriptedBackend;
  /** What was logged at `error`. */
  readonly logged: readonly unknown[];

  private constructor(app: HttpApp, url: string, engine: TestEngine, backend: ScriptedBackend, logged: unknown[]) {
    this.app = app;
    this.url = `${url}/mcp`;
    this.engine = engine;
    this.backend = backend;
    this.logged = logged;
  }

  static async start(options: TestLegacyOptions = {}): Promise<TestLegacy> {
    const backend = scripted(options.model ?? { hold: ["tokens"], text: "one two three" }, options.others);
    const settings = options.settings ?? {};
    const engine = new TestEngine(backend, { settings, jobs: testJobs });
    const logged: unknown[] = [];
    const face = mcpFace({
      service: engine.service,
      clock: engine.clock,
      version: "1.2.3",
      registration: { tools: [...testTools, faultyTool], ...options.registration },
    });
    const app = await testServer(settings, (scope) => void face.register(scope), logged);
    return new TestLegacy(app, await listen(app, 0), engine, backend, logged);
  }

  agent(options: TestAgentOptions = {}): Promise<TestAgent> {
    return TestAgent.connect(this.url, options);
  }

  /** Lets the model write to its end. */
  finish(): void {
    this.backend.release(1_000);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.close();
    await this.engine.scheduler.close();
    await this.backend.close();
    if (this.engine.bugs.length > 0) throw new AggregateError(this.engine.bugs, "The engine had bugs");
  }
}
