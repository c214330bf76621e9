import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HostProcess } from "../host";

const demo = fileURLToPath(new URL("../../assets/models/simmer-demo.gguf", import.meta.url));

/** A call that asks which model it shall take, since there is more than one besides the app's own. */
export const generateCall = {
  name: "generate",
  arguments: { prompt: "Tell me a story.", max_output_tokens: 16 },
};
export const chosenModel = { model: "second" };

/** A host as a user starts it, with two models of their own. */
export class PeerHost implements AsyncDisposable {
  readonly url: string;
  readonly headers: { readonly Authorization: string };
  readonly #process: HostProcess;
  readonly #models: string;

  private constructor(process: HostProcess, models: string) {
    this.#process = process;
    this.#models = models;
    this.url = process.endpoint.mcp;
    this.headers = { Authorization: `Bearer ${process.endpoint.token}` };
  }

  static async start(): Promise<PeerHost> {
    const models = mkdtempSync(join(tmpdir(), "simmer-models-"));
    for (const name of ["first", "second"]) symlinkSync(demo, join(models, `${name}.gguf`));
    return new PeerHost(await HostProcess.start({ modelsDir: models }), models);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
    rmSync(this.#models, { recursive: true, force: true });
  }
}
