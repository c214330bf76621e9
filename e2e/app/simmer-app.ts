import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { _electron, type ElectronApplication, type Page } from "playwright";
import { LmspClient } from "../lmsp-client";
import { slowModelFolder } from "../slow-model";
import { Agent, type Answering } from "./agent";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface LaunchOptions {
  /** Kept by the caller when given; else made, and removed when the app is disposed. */
  readonly dataDir?: string;
  readonly args?: readonly string[];
  readonly theme?: "light" | "dark";
  /** Another folder of models than the one with the slow model alone. */
  readonly modelsDir?: string;
  /** A packaged app; else the built one runs in the Electron of this machine. */
  readonly executable?: string;
}

/** The app as a person starts it: real Electron, real window, real models. */
export class SimmerApp implements AsyncDisposable {
  readonly electron: ElectronApplication;
  readonly page: Page;
  readonly dataDir: string;
  readonly #removeData: boolean;

  private constructor(electron: ElectronApplication, page: Page, dataDir: string, removeData: boolean) {
    this.electron = electron;
    this.page = page;
    this.dataDir = dataDir;
    this.#removeData = removeData;
  }

  static async launch(options: LaunchOptions = {}): Promise<SimmerApp> {
    const dataDir = options.dataDir ?? temporaryFolder();
    const { binary, flags } = electronOf();
    const theme = options.theme === undefined ? [] : ["--set", `window.theme=${options.theme}`];
    const models = ["--models-dir", options.modelsDir ?? (await slowModelFolder())];
    const electron = await _electron.launch({
      executablePath: options.executable ?? binary,
      args: [
        ...(options.executable === undefined ? [root] : []),
        ...flags,
        "--data-dir",
        dataDir,
        "--port",
        "0",
        ...models,
        ...theme,
        ...(options.args ?? []),
      ],
    });
    const page = await electron.firstWindow();
    return new SimmerApp(electron, page, dataDir, options.dataDir === undefined);
  }

  /** What another program reads to call: the file in the data folder. */
  get endpoint() {
    return JSON.parse(readFileSync(join(this.dataDir, "endpoint.json"), "utf8")) as {
      readonly url: string;
      readonly lmsp: string;
      readonly mcp: string;
      readonly token: string;
      readonly clients: Readonly<Record<string, string>>;
      readonly pid: number;
    };
  }

  lmsp(client?: string): LmspClient {
    const { endpoint } = this;
    return new LmspClient(endpoint, client === undefined ? endpoint.token : endpoint.clients[client]);
  }

  /** The client `agent`, over MCP; it can be asked when it has what answers. */
  agent(answering?: Answering): Promise<Agent> {
    const { mcp, clients } = this.endpoint;
    return Agent.connect({ url: mcp, token: clients.agent, ...(answering === undefined ? {} : { answering }) });
  }

  close(): Promise<void> {
    return this.electron.close();
  }

  /** As a power cut would. */
  async kill(): Promise<void> {
    const gone = this.electron.waitForEvent("close");
    this.electron.process().kill("SIGKILL");
    await gone;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    if (this.#removeData) rmSync(this.dataDir, { recursive: true, force: true });
  }
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "simmer-app-"));
}

/** Set by the set-up, once for all tests. */
export function electronOf(): { readonly binary: string; readonly flags: readonly string[] } {
  return JSON.parse(process.env.SIMMER_ELECTRON ?? "{}");
}
