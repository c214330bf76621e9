import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ProblemError } from "../../../shared/problem";
import { forkInference } from "../fork-inference";
import type { ProcessExit } from "../inference-process";
import { request, specOf } from "../llama/test-models";
import { ProcessBackend } from "../process-host";
import { checkDescription, checkFiles } from "./check-model";
import { demoDraft } from "./test-demo-draft";
import { tinyDraft } from "./test-gguf";
import { type Mutant, mutantOf, plain, strangeDraft } from "./test-mutations";
import { random } from "./test-random";

/** `SIMMER_FUZZ=10000` for the long form; `SIMMER_FUZZ_FROM` to go on from a case, or to repeat one. */
const cases = Number(process.env.SIMMER_FUZZ ?? 300);
const from = Number(process.env.SIMMER_FUZZ_FROM ?? 0);
/** Far more than a check takes, and far less than what a wrong count could make it take. */
const bound = 10_000;

// Inside the project, so that the packages are found.
const folder = fileURLToPath(new URL(`../../../.cache/fuzz-${process.pid}`, import.meta.url));
const exits: ProcessExit[] = [];
/** What the processes printed for the present case. */
const said: string[] = [];
let backend: ProcessBackend;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  await build({
    configFile: false,
    logLevel: "error",
    build: {
      ssr: fileURLToPath(new URL("../process-entry.ts", import.meta.url)),
      outDir: folder,
      target: "node20",
      rolldownOptions: { output: { entryFileNames: "process-entry.js", format: "esm" } },
    },
  });
  backend = start();
}, 60_000);

afterAll(async () => {
  await backend.close();
  rmSync(folder, { recursive: true });
});

function start(): ProcessBackend {
  const fork = forkInference({ warn: (line) => said.push(line) }, pathToFileURL(join(folder, "process-entry.js")));
  const watched = () => {
    const started = fork();
    started.onExit((exit) => exits.push(exit));
    return started;
  };
  return new ProcessBackend(watched, { cancelBound: 5_000 });
}

// B56. Each file is refused by our check, or the native loader takes it, or refuses it with an error: it never dies.
it(
  "no hostile header ends the process that loads it",
  async () => {
    const counted = { refused: 0, failed: 0, loaded: 0, died: 0 };
    const deaths: string[] = [];
    for (let index = from; index < from + cases; index++) {
      const mutant = mutantFor(index);
      const outcome = await outcomeOf(`mutant-${index}`, mutant);
      counted[outcome] += 1;
      if (outcome === "died") deaths.push(`${index}: ${mutant.story} -> ${said.slice(-12).join("\n   ")}`);
      said.length = 0;
    }
    console.info(`${cases} mutants from ${from}: ${JSON.stringify(counted)}`);
    expect(deaths).toEqual([]);
    expect(counted.refused).toBeGreaterThan(0);
    expect(counted.loaded).toBeGreaterThan(0);
  },
  60_000 + cases * 1_000,
);

function mutantFor(seed: number): Mutant {
  const chance = random(seed);
  const draft = chance.pick([demoDraft, tinyDraft, () => strangeDraft(chance)])();
  return chance.chance(0.2) ? plain(draft, "strange as it is") : mutantOf(draft, chance);
}

async function outcomeOf(name: string, mutant: Mutant): Promise<"refused" | "failed" | "loaded" | "died"> {
  const path = join(folder, `${name}.gguf`);
  write(path, mutant);
  try {
    const startedAt = performance.now();
    const isRefused = refuses(path);
    expect(performance.now() - startedAt, `${name}: ${mutant.story}`).toBeLessThan(bound);
    if (isRefused) return "refused";
    const outcome = await load(name, path);
    if (exits.length === 0) return outcome;
    await backend.close();
    backend = start();
    exits.length = 0;
    return "died";
  } finally {
    rmSync(path);
  }
}

function refuses(path: string): boolean {
  try {
    checkDescription(checkFiles(path));
    return false;
  } catch (error) {
    if (error instanceof ProblemError && error.problem.code === "model_load_failed") return true;
    throw error;
  }
}

/** Loads the model and lets it write a little. */
async function load(id: string, path: string): Promise<"failed" | "loaded"> {
  const signal = AbortSignal.timeout(60_000);
  try {
    await backend.load(specOf(id, path, { contextLength: 64, parallel: 1 }), signal);
    for await (const _ of backend.generate({ ...request("Hi\n é", { maxTokens: 3 }), model: id }, signal));
    await backend.unload(id);
    return "loaded";
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProblemError) return "failed";
    throw error;
  }
}

function write(path: string, { header, size }: Mutant): void {
  const file = openSync(path, "w");
  writeSync(file, header.subarray(0, size));
  ftruncateSync(file, size);
  closeSync(file);
}
