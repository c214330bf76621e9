import { posix } from "node:path";
import ts from "typescript";

/** What the other folders may know of the engine. */
const ports = ["backend", "caller", "clock", "job", "models", "store", "tool"].map((name) => `electron/engine/${name}`);

/** Which folders a folder may import from, besides itself and `shared/`. `electron/` stands for its own files. */
const imports: Readonly<Record<string, readonly string[]>> = {
  "shared/": [],
  "electron/": ["electron/", "package.json"],
  "electron/engine/": [],
  "electron/jobs/": ports,
  "electron/store/": ports,
  "electron/archive/": [...ports, "electron/engine/adoption"],
  "electron/backend/": ports,
  "electron/http/": ["electron/engine/caller"],
  "electron/settings/": [],
  "electron/faces/": ["electron/engine/", "electron/http/"],
  "renderer/": [],
  "e2e/": ["electron/", "renderer/", "package.json"],
};

/** Where a package may be used. One that is not named here may be used nowhere: first decide where it belongs. */
const packages: Readonly<Record<string, readonly string[]>> = {
  zod: ["shared/", "electron/", "renderer/", "e2e/"],
  ulid: ["electron/engine/"],
  "@photostructure/sqlite": ["electron/store/"],
  "node-llama-cpp": ["electron/backend/llama/"],
  fastify: ["electron/http/", "electron/faces/"],
  "fastify-type-provider-zod": ["electron/http/", "electron/faces/"],
  "@fastify/rate-limit": ["electron/http/"],
  "@fastify/swagger": ["electron/http/"],
  "@modelcontextprotocol/server": ["electron/faces/mcp/"],
  pino: [
    "electron/audit-",
    "electron/compose",
    "electron/desktop",
    "electron/host-log",
    "electron/monitor",
    "electron/prepare-host",
    "electron/http/",
  ],
  conf: ["electron/settings/"],
  electron: [
    "electron/main",
    "electron/desktop",
    "electron/preload",
    "electron/window/",
    "electron/backend/fork-utility",
  ],
  "electron-store": ["electron/settings/"],
  react: ["renderer/"],
  "react-dom": ["renderer/main"],
  zustand: ["renderer/state/"],
  "radix-ui": ["renderer/"],
  clsx: ["renderer/"],
  "@tanstack/react-virtual": ["renderer/panels/"],
  "react-markdown": ["renderer/panels/"],
  "remark-gfm": ["renderer/panels/"],
  "@fontsource-variable/inter": ["renderer/main"],
  "@fontsource/jetbrains-mono": ["renderer/main"],
};

/** Packages of the tests, kept out of the app. */
const testPackages = [
  "vitest",
  "vite",
  "fast-check",
  "typescript",
  "autocannon",
  "@modelcontextprotocol/sdk",
  "@modelcontextprotocol/client",
  "@modelcontextprotocol/ext-tasks",
  "playwright",
  "@playwright/test",
  "@axe-core/playwright",
  "@electron/fuses",
];

const topLevel = new Set(
  [
    "package.json tsconfig.json electron renderer shared assets e2e electron-builder.yml README.md",
    "package-lock.json LICENSE CONTRIBUTING.md CHANGELOG.md node_modules dist coverage",
  ].flatMap((names) => names.split(" ")),
);

/** Names at the top level of the project that do not belong there. */
export function strangersAtTopLevel(names: readonly string[]): string[] {
  return names.filter((name) => !name.startsWith(".") && !topLevel.has(name));
}

/** What is wrong with the imports of `files` (path in the project -> text), each fault in a sentence. */
export function importFaults(files: ReadonlyMap<string, string>): string[] {
  const graph = new Map([...files].map(([path, text]) => [path, importsOf(path, text)]));
  const wrong = [...graph].flatMap(([path, targets]) => targets.flatMap((target) => faultOf(path, target) ?? []));
  return [...wrong, ...cyclesOf(graph)];
}

/** The imports of a file, types and dynamic ones too; those of the project as paths without their ending. */
function importsOf(path: string, text: string): string[] {
  const names = ts.preProcessFile(text, true, true).importedFiles.map((file) => file.fileName);
  return names.map((name) => (name.startsWith(".") ? `./${posix.join(posix.dirname(path), name)}` : name));
}

function faultOf(path: string, target: string): string | undefined {
  if (target.startsWith("./")) return folderFault(path, target.slice(2));
  return target.startsWith("node:") ? nodeFault(path, target) : packageFault(path, target);
}

function folderFault(path: string, target: string): string | undefined {
  if (isTest(path)) return undefined; // tests put real parts together
  const area = areaOf(path);
  if (area === undefined) return `${path} lies in no folder of the architecture`;
  const allowed = [area, "shared/", ...(imports[area] ?? [])];
  const isAllowed = allowed.some((one) => (one.endsWith("/") ? target.startsWith(one) : target === one));
  if (!isAllowed) return `${path} imports ${target}: ${area} may not know it`;
  const [from, to] = [faceOf(path), faceOf(target)];
  return from && to && from !== to ? `${path} imports ${target}: a face knows no other face` : undefined;
}

function nodeFault(path: string, target: string): string | undefined {
  const pure = ["shared/", "renderer/"].some((area) => path.startsWith(area)) && !isTest(path);
  return pure ? `${path} imports ${target}: it must run without Node` : undefined;
}

function packageFault(path: string, target: string): string | undefined {
  const depth = target.startsWith("@") ? 2 : 1;
  const name = target.split("/").slice(0, depth).join("/");
  if (isTest(path) && (testPackages.includes(name) || name in packages)) return undefined;
  const places = packages[name];
  if (places?.some((place) => path.startsWith(place))) return undefined;
  return `${path} imports ${name}: it belongs to ${places?.join(", ") ?? "no folder"}`;
}

/** The nearest folder in the table. */
function areaOf(path: string): string | undefined {
  const areas = Object.keys(imports).filter((area) => path.startsWith(area));
  return areas.sort((a, b) => b.length - a.length)[0];
}

function faceOf(path: string): string | undefined {
  return /^electron\/faces\/([^/]+)\//.exec(path)?.[1];
}

/** Tests, and the contract suites that every implementation of a port passes. */
function isTest(path: string): boolean {
  return /\.test\.tsx?$|^electron\/.*\/(contract|test-[a-z-]+)\.ts$|^e2e\//.test(path);
}

/** Each import cycle once, from its first file round to it again. */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path].join(" -> "));
    if (done.has(path) || start >= 0) return;
    for (const target of graph.get(path) ?? []) {
      const file = [".ts", ".tsx"].map((ending) => `${target.slice(2)}${ending}`).find((name) => graph.has(name));
      if (file) visit(file, [...trail, path]);
    }
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return cycles.map((cycle) => `imports form a cycle: ${cycle}`);
}
