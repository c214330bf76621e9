import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
// @ts-expect-error: a script in plain JavaScript, which the set-up of a machine can run by itself.
import { mcpPeers } from "../../.scripts/mcp-peers.mjs";

const peersSchema = z.object({ node: z.string(), mcpdo: z.string() });

/** The Inspector's command line, with a home and a daemon of its own. */
export class Mcpdo implements AsyncDisposable {
  readonly #node: string;
  readonly #program: string;
  readonly #home = mkdtempSync(join(tmpdir(), "simmer-mcpdo-"));

  private constructor({ node, mcpdo }: z.output<typeof peersSchema>) {
    this.#node = node;
    this.#program = mcpdo;
  }

  static async start(): Promise<Mcpdo> {
    return new Mcpdo(peersSchema.parse(await mcpPeers()));
  }

  /** Runs one command to its end; what it says on stdout is JSON. Throws when it fails. */
  async run(...args: readonly string[]): Promise<unknown> {
    const environment = { ...process.env, HOME: this.#home, MCP_INSPECTOR_SECRET_STORE: "memory" };
    const command = [this.#program, "--format", "json", ...args];
    const { stdout } = await promisify(execFile)(this.#node, command, { env: environment });
    return stdout.trim() === "" ? null : JSON.parse(stdout);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.run("daemon", "stop");
    rmSync(this.#home, { recursive: true, force: true });
  }
}
