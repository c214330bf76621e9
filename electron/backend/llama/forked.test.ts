import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll } from "vitest";
import { describeBackend } from "../contract";
import { forkInference } from "../fork-inference";
import { ProcessBackend } from "../process-host";
import { demo, request, specOf } from "./test-models";

// Inside the project, so that the packages are found.
const folder = fileURLToPath(new URL(`../../../.cache/forked-${process.pid}`, import.meta.url));
const cut = join(folder, "cut.gguf");

beforeAll(async () => {
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
  writeFileSync(cut, readFileSync(demo).subarray(0, 4_000_000));
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

describeBackend("llama.cpp in a process of its own", async () => {
  const fork = forkInference({ warn: () => undefined }, pathToFileURL(join(folder, "process-entry.js")));
  return {
    backend: new ProcessBackend(fork, { cancelBound: 5_000 }),
    model: specOf("simmer-demo", demo),
    request: request("Write a long report about bicycles.", { temperature: 0 }),
    parallel: 2,
    broken: specOf("cut", cut),
    apart: true,
  };
});
