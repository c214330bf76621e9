import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LmspClient } from "../lmsp-client";
import { electronOf, temporaryFolder } from "./simmer-app";

export const executable = fileURLToPath(new URL("../../dist/package/linux-unpacked/simmer", import.meta.url));

export interface PackagedOptions {
  readonly dataDir?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The packaged app as the system starts it: no debugger can drive it, so it is used through its endpoint. */
export class PackagedApp implements AsyncDisposable {
  readonly dataDir: string;
  readonly #child: ChildProcess;
  readonly #said: string[] = [];
  readonly #exited: Promise<unknown>;

  constructor({ dataDir = temporaryFolder(), args = [], env = {} }: PackagedOptions = {}) {
    this.dataDir = dataDir;
    const command = [...electronOf().flags, ...args, "--port", "0", "--data-dir", dataDir];
    this.#child = spawn(executable, command, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (text) => this.#said.push(String(text)));
    this.#exited = once(this.#child, "exit");
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** All that it printed. */
  get said(): string {
    return this.#said.join("");
  }

  /** Resolves when its endpoint is open. */
  async listening(): Promise<LmspClient> {
    const path = join(this.dataDir, "endpoint.json");
    for (let tries = 0; tries < 3_000 && this.#child.exitCode === null; tries += 1) {
      if (existsSync(path)) return new LmspClient(JSON.parse(readFileSync(path, "utf8")));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`The app did not start:\n${this.said}`);
  }

  async exit(): Promise<number | null> {
    await this.#exited;
    return this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#exited;
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
