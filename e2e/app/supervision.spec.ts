import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AsideFile, versionOf } from "../../electron/backend/aside-file";
import { specBySettings } from "../../electron/model-catalogue";
import { settingsSchema } from "../../shared/settings";
import { descendantsOf, isGone } from "../processes";
import { slowModelFolder } from "../slow-model";
import { SimmerApp, temporaryFolder } from "./simmer-app";
import { TasksPage } from "./tasks-page";
import { expect, test } from "./test";

/** A data folder in which the slow model is put aside, as three crashes at its loading would have left it. */
async function folderWithAside(): Promise<string> {
  const dataDir = temporaryFolder();
  const file = { id: "simmer-slow", path: join(await slowModelFolder(), "simmer-slow.gguf") };
  const spec = specBySettings(settingsSchema.parse({}))({
    ...file,
    sizeBytes: 1,
    embedded: false,
    contextLength: null,
  });
  const log = { warn: (line: string) => console.error(line) };
  const why = "The inference process ended unexpectedly: signal SIGSEGV.";
  new AsideFile(dataDir, log).write(new Map([[spec.id, { version: versionOf(spec), why }]]));
  return dataDir;
}

// B110: a model that keeps crashing the process is not tried again and again, and its person has the last word.
test("a model that was put aside says why, and is tried again when the person wants it", async () => {
  const dataDir = await folderWithAside();
  try {
    await using app = await SimmerApp.launch({ dataDir });
    const tasks = new TasksPage(app.page);
    const lmsp = app.lmsp();
    const { id } = await lmsp.create({ model: "simmer-slow", input: "Write about bees." });
    await lmsp.until(id, "failed");
    expect((await lmsp.task(id)).error).toMatchObject({
      code: "model_load_failed",
      detail: expect.stringMatching(/"simmer-slow" .*put aside.*SIGSEGV/),
    });
    await tasks.row("bees").click();
    await expect(tasks.detail).toContainText("put aside");
    await tasks.detail.getByRole("button", { name: "Try the model again" }).click();
    await expect(tasks.detail).toContainText("The next task tries to load it.");
    await expect(tasks.detail.getByRole("button", { name: "Try the model again" })).toHaveCount(0);
    await tasks.create("Write about ants.", { model: "simmer-slow" });
    await expect(tasks.row("ants")).toContainText("Running");
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test("an inference process that answers nothing is replaced, and the window says so", async () => {
  await using app = await SimmerApp.launch({ args: ["--set", "engine.hang_bound=5000"] });
  const tasks = new TasksPage(app.page);
  await tasks.create("Write about bees.", { model: "simmer-slow" });
  await expect(tasks.row("bees")).toContainText("Running");
  process.kill(inferenceIn(app.dataDir), "SIGSTOP");
  await expect(tasks.row("bees")).toContainText("Failed");
  await expect(tasks.statusBar).toContainText("stopped answering for 5 seconds");
  await tasks.create("Write about ants.", { model: "simmer-slow" });
  await expect(tasks.row("ants")).toContainText("Running");
  await expect(tasks.statusBar).not.toContainText("stopped answering");
});

// The identity of a process, and the end of its channel, are Electron's own here.
test("a stopped inference process that outlives the killed app is ended by the next start", async () => {
  const dataDir = temporaryFolder();
  try {
    const before = await SimmerApp.launch({ dataDir });
    const lmsp = before.lmsp();
    await lmsp.until((await lmsp.create({ model: "simmer-slow", input: "Write about bees." })).id, "running");
    const processes = descendantsOf(before.endpoint.pid);
    process.kill(inferenceIn(dataDir), "SIGSTOP");
    await before.kill();
    await using _after = await SimmerApp.launch({ dataDir });
    for (const pid of processes) await isGone(pid);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** As the app has noted it. */
function inferenceIn(dataDir: string): number {
  return JSON.parse(readFileSync(join(dataDir, "inference.json"), "utf8")).pid;
}
