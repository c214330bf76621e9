import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LmspClient } from "../lmsp-client";

const launcher = fileURLToPath(new URL("../../.scripts/headless.mjs", import.meta.url));

export interface FaultyHostOptions {
  readonly dataDir: string;
  /** Where this process finds the same folder. */
  readonly seenAt?: string;
  readonly modelsDir?: string;
  /** Put before its command. */
  readonly via?: readonly string[];
}

interface Endpoint {
  readonly url: string;
  readonly lmsp: string;
  readonly mcp: string;
  readonly token: string;
  readonly pid: number;
}

/** A host whose storage may be at fault from the start: it is known by the line that says where it listens. */
export class FaultyHost implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #errors: string[];
  readonly #file: string;
  readonly #exited: Promise<unknown>;

  private constructor(url: string, child: ChildProcess, errors: string[], file: string) {
    this.url = url;
    this.#child = child;
    this.#errors = errors;
    this.#file = file;
    this.#exited = once(child, "exit");
  }

  static async start({ dataDir, seenAt = dataDir, modelsDir, via = [] }: FaultyHostOptions): Promise<FaultyHost> {
    const models = modelsDir === undefined ? [] : ["--models-dir", modelsDir];
    const command = [...via, process.execPath, launcher, "--port", "0", "--data-dir", dataDir, ...models];
    const [name = "", ...rest] = command;
    const child = spawn(name, rest, { stdio: ["ignore", "pipe", "pipe"] });
    const errors: string[] = [];
    child.stderr.on("data", (text) => errors.push(String(text)));
    const said = new Promise<string>((resolve, reject) => {
      child.stdout.on("data", (text) => resolve(String(text)));
      child.on("exit", (code) => reject(new Error(`The host ended with ${code}:\n${errors.join("")}`)));
    });
    const url = /listens on (\S+)/.exec(await said)?.[1];
    if (url === undefined) throw new Error(`The host says ${await said}`);
    return new FaultyHost(url, child, errors, join(seenAt, "endpoint.json"));
  }

  /** What it said on stderr. */
  get errors(): string {
    return this.#errors.join("");
  }

  get hasEndpointFile(): boolean {
    return existsSync(this.#file);
  }

  /** Waits for the file that it writes. */
  async endpoint(): Promise<Endpoint> {
    return await eventually(() => {
      const endpoint = JSON.parse(readFileSync(this.#file, "utf8"));
      if (endpoint.url !== this.url) throw new Error("It is another host's");
      return endpoint;
    });
  }

  async lmsp(): Promise<LmspClient> {
    return new LmspClient(await this.endpoint());
  }

  /** As a user stops it. Resolves with the exit code. */
  async stop(): Promise<number | null> {
    this.#child.kill("SIGTERM");
    await this.#exited;
    return this.#child.exitCode;
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill("SIGKILL");
    await this.#exited;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}

/** What `look` gives once it throws no more; its last error when that takes too long. */
export async function eventually<T>(look: () => T | Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await look();
    } catch (error) {
      if (tries >= 600) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
