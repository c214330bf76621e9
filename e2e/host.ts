import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Measure, measureOf } from "./measure";

const probe = ["--expose-gc", "--import", new URL("./host-probe.mjs", import.meta.url).href];
const launcher = fileURLToPath(new URL("../.scripts/headless.mjs", import.meta.url));

export interface HostOptions {
  /** Kept by the caller when given; else made, and removed when the host is disposed. */
  readonly dataDir?: string;
  readonly modelsDir?: string;
  readonly clients?: readonly string[];
  readonly set?: Readonly<Record<string, string | number>>;
  /** The product's own when absent. */
  readonly program?: string;
  /** Added to the environment of the host, and with it to that of whatever the host starts. */
  readonly env?: Readonly<Record<string, string>>;
  /** Loads a probe into it, so that it can be measured from within. */
  readonly probed?: boolean;
}

export interface EndpointFile {
  readonly url: string;
  readonly lmsp: string;
  readonly mcp: string;
  readonly token: string;
  readonly clients: Readonly<Record<string, string>>;
  readonly pid: number;
}

/** A host as a user starts it: a process of its own, found by its `endpoint.json`. */
export class HostProcess implements AsyncDisposable {
  readonly dataDir: string;
  readonly endpoint: EndpointFile;
  readonly #child: ChildProcess;
  readonly #log: string[];
  readonly #removeData: boolean;
  readonly #exited: Promise<unknown>;

  private constructor(
    child: ChildProcess,
    log: string[],
    dataDir: string,
    removeData: boolean,
    endpoint: EndpointFile,
  ) {
    this.#child = child;
    this.#log = log;
    this.dataDir = dataDir;
    this.#removeData = removeData;
    this.endpoint = endpoint;
    this.#exited = once(child, "exit");
  }

  static async start(options: HostOptions = {}): Promise<HostProcess> {
    const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "simmer-e2e-"));
    const child = spawnHost(dataDir, options);
    const log: string[] = [];
    child.stdout?.on("data", (text) => log.push(String(text)));
    child.stderr?.on("data", (text) => log.push(String(text)));
    const endpoint = await endpointOf(child, dataDir, log);
    return new HostProcess(child, log, dataDir, options.dataDir === undefined, endpoint);
  }

  get log(): string {
    return this.#log.join("");
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** What a probed host uses now, its garbage collected. One at a time. Rejects when it ends meanwhile. */
  async measure(): Promise<Measure> {
    const ended = new AbortController();
    const end = () => ended.abort(new Error(`The host has ended:\n${this.log}`));
    this.#child.once("exit", end);
    try {
      if (!this.isAlive) end();
      this.#child.send?.("measure");
      const [answer] = await once(this.#child, "message", { signal: ended.signal });
      return measureOf(this.endpoint.pid, answer);
    } finally {
      this.#child.off("exit", end);
    }
  }

  /** As a user stops it. Resolves with the exit code. */
  async stop(): Promise<number | null> {
    return this.#end("SIGTERM");
  }

  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    if (this.#removeData) rmSync(this.dataDir, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.isAlive) {
      this.#child.kill(signal);
      await this.#exited;
    }
    return this.#child.exitCode;
  }
}

/** A start that is killed after so many milliseconds, wherever it is by then. */
export async function killedStart(options: HostOptions & { readonly dataDir: string }, after: number): Promise<void> {
  const child = spawnHost(options.dataDir, options);
  const exited = once(child, "exit");
  for (const stream of [child.stdout, child.stderr]) stream?.resume();
  const timer = setTimeout(() => child.kill("SIGKILL"), after);
  await exited;
  clearTimeout(timer);
  if (child.signalCode !== "SIGKILL") throw new Error(`The host ended by itself: ${child.exitCode}`);
}

function spawnHost(dataDir: string, options: HostOptions): ChildProcess {
  const own = options.probed ? probe : [];
  return spawn(process.execPath, [...own, options.program ?? launcher, ...argumentsOf(dataDir, options)], {
    stdio: ["ignore", "pipe", "pipe", ...(options.probed ? ["ipc" as const] : [])],
    env: { ...process.env, ...options.env },
  });
}

function argumentsOf(dataDir: string, options: HostOptions): string[] {
  const settings = Object.entries(options.set ?? {}).flatMap(([key, value]) => ["--set", `${key}=${value}`]);
  const clients = (options.clients ?? []).flatMap((name) => ["--client", name]);
  const models = options.modelsDir === undefined ? [] : ["--models-dir", options.modelsDir];
  return ["--port", "0", "--data-dir", dataDir, ...models, ...clients, ...settings];
}

/** Waits for the file that this very process writes: a killed predecessor may have left one. */
async function endpointOf(child: ChildProcess, dataDir: string, log: readonly string[]): Promise<EndpointFile> {
  const path = join(dataDir, "endpoint.json");
  for (let tries = 0; tries < 3_000; tries += 1) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    if (existsSync(path)) {
      const endpoint = JSON.parse(readFileSync(path, "utf8")) as EndpointFile;
      if (endpoint.pid === child.pid) return endpoint;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  child.kill("SIGKILL");
  throw new Error(`The host did not start:\n${log.join("")}`);
}
