import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { HostProcess } from "../../host";
import { LmspClient } from "../../lmsp-client";
import { RawClient } from "../../mcp/raw-client";
import { keepCode } from "./code-cache";
import { scripts } from "./scripts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const here = fileURLToPath(new URL(".", import.meta.url));

/** Its files are removed when it is disposed. */
export interface ScriptedHost extends Disposable {
  readonly program: string;
  readonly modelsDir: string;
}

/**
 * Builds the scripted host so that it starts in half the time: its packages in one file, and compiled. With it comes the
 * folder of its models.
 */
export async function bundleScriptedHost(): Promise<ScriptedHost> {
  const folder = join(root, `dist/crash-${process.pid}`);
  await bundle(folder);
  for (const name of ["host", "inference"])
    writeFileSync(
      join(folder, `${name}.cjs`),
      `require("./code-cache.cjs").run(require.resolve("./scripted-${name}.cjs"));\n`,
    );
  const modelsDir = join(folder, "models");
  mkdirSync(modelsDir);
  for (const name of Object.keys(scripts))
    symlinkSync(join(root, "assets/models/simmer-demo.gguf"), join(modelsDir, `${name}.gguf`));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const host = { program: join(folder, "host.cjs"), modelsDir, [Symbol.dispose]: remove };
  await compile(host);
  return host;
}

async function bundle(outDir: string): Promise<void> {
  const names = ["scripted-host", "scripted-inference", "code-cache"];
  await build({
    root,
    configFile: false,
    logLevel: "error",
    // Native code stays outside. The host itself never loads llama.cpp.
    ssr: { noExternal: true, external: ["@photostructure/sqlite", "node-llama-cpp"] },
    build: {
      ssr: true,
      target: "node20",
      outDir,
      minify: true,
      rolldownOptions: {
        input: Object.fromEntries(names.map((name) => [name, `${here}${name}.ts`])),
        output: { format: "cjs", entryFileNames: "[name].cjs", chunkFileNames: "[name]-[hash].cjs" },
      },
    },
  });
}

/** One run that uses what all runs use. Functions are compiled when they are first called. */
async function compile({ program, modelsDir }: ScriptedHost): Promise<void> {
  await using host = await HostProcess.start({ program, modelsDir, env: { [keepCode]: "1" } });
  const lmsp = new LmspClient(host.endpoint);
  const { id } = await lmsp.create({ model: "swift", input: "Write." });
  await lmsp.allEvents(id);
  const { token, mcp: url } = host.endpoint;
  await using mcp = await RawClient.connect({ url, token });
  await mcp.call("generate", { model: "steady", prompt: "Write." });
  if ((await host.stop()) !== 0) throw new Error(`The scripted host did not stop in order: ${host.log}`);
}
