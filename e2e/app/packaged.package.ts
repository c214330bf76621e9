import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { FuseState, FuseV1Options, getCurrentFuseWire } from "@electron/fuses";
import { commandOf, descendantsOf } from "../processes";
import { executable, PackagedApp } from "./packaged-app";
import { temporaryFolder } from "./simmer-app";
import { expect, test } from "./test";

test("the packaged app opens its window, and runs a task of its endpoint from end to end", async () => {
  await using app = new PackagedApp();
  const lmsp = await app.listening();
  const { id } = await lmsp.create({ model: "simmer-demo", input: "What is the capital of France?", temperature: 0 });
  const task = await lmsp.until(id, "succeeded");
  expect(JSON.stringify(task.response)).toContain("Paris");
  const kinds = descendantsOf(app.pid).map((pid) => commandOf(pid));
  expect(kinds.some((command) => command.includes("--type=renderer"))).toBe(true);
  expect(kinds.some((command) => command.includes("node.mojom.NodeService"))).toBe(true);
});

test("its binary has every fuse set as it is meant", async () => {
  const wire = await getCurrentFuseWire(executable);
  const states = (options: readonly FuseV1Options[]) => options.map((option) => [option, wire[option]]);
  const off = [
    FuseV1Options.RunAsNode,
    FuseV1Options.EnableNodeOptionsEnvironmentVariable,
    FuseV1Options.EnableNodeCliInspectArguments,
    FuseV1Options.GrantFileProtocolExtraPrivileges,
    FuseV1Options.LoadBrowserProcessSpecificV8Snapshot,
  ];
  const on = [
    FuseV1Options.EnableCookieEncryption,
    FuseV1Options.OnlyLoadAppFromAsar,
    FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
  ];
  expect(states(off)).toEqual(off.map((option) => [option, FuseState.DISABLE]));
  expect(states(on)).toEqual(on.map((option) => [option, FuseState.ENABLE]));
});

test("it lends itself to no other program, and lets no debugger in", async () => {
  const folder = temporaryFolder();
  const marker = join(folder, "ran");
  const script = join(folder, "script.cjs");
  writeFileSync(script, `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "")`);
  const port = await freePort();
  await using app = new PackagedApp({
    args: [`--inspect=0`, `--remote-debugging-port=${port}`, script],
    env: { NODE_OPTIONS: `--require ${script}`, ELECTRON_RUN_AS_NODE: "1" },
  });
  // As Node it would have run the script and ended; it is the app instead.
  await app.listening();
  expect(existsSync(marker)).toBe(false);
  expect(app.said).not.toContain("Debugger listening");
  expect(app.said).not.toContain("DevTools listening");
  await expect(fetch(`http://127.0.0.1:${port}/json/version`)).rejects.toThrow();
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
