import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { ScriptedBackend } from "../../electron/backend/scripted/scripted-backend";
import { type Host, startHost } from "../../electron/compose";
import { settingsSchema } from "../../shared/settings";
import { fixtures } from "./fixtures/fixtures";
import { Relay } from "./relay";

/** The product's own host with the fixtures in place of its jobs, behind a relay that has its token. */
export class ConformanceHost implements AsyncDisposable {
  /** Of the MCP endpoint; it asks for no token. */
  readonly url: string;
  readonly #host: Host;
  readonly #relay: Relay;
  readonly #folder: string;

  private constructor(host: Host, relay: Relay, folder: string) {
    this.#host = host;
    this.#relay = relay;
    this.#folder = folder;
    this.url = `${relay.url}/mcp`;
  }

  static async start(): Promise<ConformanceHost> {
    const folder = mkdtempSync(join(tmpdir(), "simmer-conformance-"));
    const host = await startHost({
      ...fixtures,
      dataDir: folder,
      modelFolders: { embedded: join(folder, "models"), user: join(folder, "models") },
      clients: [],
      settings: settingsSchema.parse({ port: 0 }),
      version: "0.0.0",
      // One of the fixtures is a fault, and faults are logged.
      log: pino({ level: "silent" }),
      backend: new ScriptedBackend({ models: {} }),
    });
    const endpoint = await host.listen();
    return new ConformanceHost(host, await Relay.start(endpoint.url, endpoint.token), folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#relay[Symbol.asyncDispose]();
    await this.#host.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
