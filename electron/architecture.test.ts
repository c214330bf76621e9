import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { importFaults, strangersAtTopLevel } from "../.config/architecture";

const root = fileURLToPath(new URL("..", import.meta.url));

function sources(): Map<string, string> {
  const paths = ["shared", "electron", "renderer", "e2e"]
    .filter((folder) => readdirSync(root).includes(folder))
    .flatMap((folder) => readdirSync(`${root}${folder}`, { recursive: true }).map((name) => `${folder}/${name}`))
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.tsx?$/.test(path));
  return new Map(paths.map((path) => [path, readFileSync(`${root}${path}`, "utf8")]));
}

const faultsIn = (files: Record<string, string>) => importFaults(new Map(Object.entries(files)));

test("every import of the project keeps to the architecture", () => {
  expect(sources().size).toBeGreaterThan(20);
  expect(importFaults(sources())).toEqual([]);
});

test("nothing lies at the top level but what belongs there", () => {
  expect(strangersAtTopLevel(readdirSync(root))).toEqual([]);
});

test("a stranger at the top level is named; dotfiles are none", () => {
  expect(strangersAtTopLevel([".config", "README.md", "vite.config.ts"])).toEqual(["vite.config.ts"]);
});

test.each([
  ["the engine knows no store", "electron/engine/ledger.ts", 'import { a } from "../store/database";'],
  ["shared imports only itself", "shared/task.ts", 'import type { A } from "../electron/engine/store";'],
  ["a store knows the ports only", "electron/store/sqlite.ts", 'export { Ledger } from "../engine/ledger";'],
  ["a face does not reach into a backend", "electron/faces/lmsp/a.ts", 'await import("../../backend/channel");'],
  ["nobody imports the composition root", "electron/http/app.ts", 'import { compose } from "../compose";'],
  ["a face knows no other face", "electron/faces/lmsp/a.ts", 'import { b } from "../mcp/b";'],
  ["the renderer knows no engine", "renderer/app.ts", 'import type { Ledger } from "../electron/engine/ledger";'],
  ["a type counts too", "electron/http/app.ts", 'type A = import("../engine/ledger").Ledger;'],
  ["a file outside the folders is none of ours", "scripts/a.ts", 'import { b } from "./b";'],
])("%s", (_, path, text) => {
  expect(faultsIn({ [path]: text })).toEqual([expect.stringContaining(path)]);
});

test.each([
  ["electron/engine/ledger.ts", 'import { DatabaseSync } from "@photostructure/sqlite";'],
  ["electron/backend/process-host.ts", 'import { getLlama } from "node-llama-cpp";'],
  ["electron/engine/task-service.ts", 'import fastify from "fastify";'],
  ["electron/http/app.ts", 'import Conf from "conf";'],
  ["electron/engine/runner.ts", 'import { vi } from "vitest";'],
  ["electron/engine/runner.ts", 'import left from "left-pad/sub";'],
  ["shared/task.ts", 'import { readFileSync } from "node:fs";'],
])("%s may not use %s", (path, text) => {
  expect(faultsIn({ [path]: text })).toEqual([expect.stringContaining(`${path} imports`)]);
});

test("what the architecture allows is no fault", () => {
  expect(
    faultsIn({
      "shared/task.ts": 'import { z } from "zod"; import { a } from "./lifecycle";',
      "electron/compose.ts": 'import { a } from "./engine/ledger"; import { b } from "../shared/task";',
      "electron/store/sqlite.ts": 'import { a } from "../engine/store"; import "@photostructure/sqlite";',
      "electron/faces/faces.ts": 'import { lmsp } from "./lmsp/face";',
      "electron/faces/lmsp/face.ts":
        'import { a } from "../projection"; import { b } from "../../engine/task-service";',
      "electron/engine/ledger.test.ts": 'import { a } from "../store/memory"; import { test } from "vitest";',
      "electron/store/contract.ts": 'import { test } from "vitest";',
    }),
  ).toEqual([]);
});

test("an import cycle is named once, all the way round", () => {
  const files = {
    "shared/a.ts": 'import { b } from "./b";',
    "shared/b.ts": 'import type { c } from "./c";',
    "shared/c.ts": 'import { a } from "./a";',
  };
  expect(faultsIn(files)).toEqual(["imports form a cycle: shared/a.ts -> shared/b.ts -> shared/c.ts -> shared/a.ts"]);
});
