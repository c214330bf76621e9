import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { childrenOf, commandOf, descendantsOf, isGone } from "../processes";
import { electronOf, SimmerApp, temporaryFolder } from "./simmer-app";
import { TasksPage } from "./tasks-page";
import { expect, test } from "./test";

const slow = { model: "simmer-slow", input: "Write a long report about bees.", temperature: 0 };

test("a killed inference process leaves the window alive, which says what happened", async ({ app, tasks }) => {
  const lmsp = app.lmsp();
  const { id } = await lmsp.create(slow);
  await expect(tasks.row("bees")).toContainText("Running");
  process.kill(await inferenceOf(app), "SIGKILL");
  await expect(tasks.row("bees")).toContainText("Failed");
  await expect(tasks.statusBar).toContainText("inference process ended unexpectedly");
  expect((await lmsp.task(id)).error?.code).toBe("backend_crashed");
  await tasks.create("What is the capital of Japan?", { model: "simmer-demo" });
  await expect(tasks.row("Japan")).toContainText("Succeeded");
});

test("a killed app shows every task again at its next start", async () => {
  const dataDir = temporaryFolder();
  try {
    const before = await SimmerApp.launch({ dataDir });
    const lmsp = before.lmsp();
    const done = await lmsp.create({ model: "simmer-demo", input: "What is the capital of Italy?" });
    await lmsp.until(done.id, "succeeded");
    const cut = await lmsp.create(slow);
    await lmsp.until(cut.id, "running");
    const processes = descendantsOf(before.endpoint.pid);
    await before.kill();
    for (const pid of processes) await isGone(pid);

    await using after = await SimmerApp.launch({ dataDir });
    const tasks = new TasksPage(after.page);
    await expect(tasks.row("Italy")).toContainText("Succeeded");
    await expect(tasks.row("bees")).toContainText("Failed");
    expect((await after.lmsp().task(cut.id)).error?.code).toBe("server_restarted");
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test("a second start shows the first one's window and ends", async ({ app }) => {
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
  const { binary, flags } = electronOf();
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const second = spawn(binary, [root, ...flags, "--data-dir", app.dataDir], { stdio: "ignore" });
  expect((await once(second, "exit"))[0]).toBe(0);
  await expect
    .poll(() => app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMinimized()))
    .toBe(false);
  expect(await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test("a port that is taken is said in the status bar, and tasks run all the same", async ({ app }) => {
  const taken = new URL(app.endpoint.url).port;
  await using other = await SimmerApp.launch({ args: ["--port", taken] });
  const tasks = new TasksPage(other.page);
  await expect(tasks.statusBar).toContainText(`Port ${taken} is in use`);
  await tasks.create("What is the capital of Japan?", { model: "simmer-demo" });
  await expect(tasks.row("Japan")).toContainText("Succeeded");
});

// B106
test("a run goes on when the system says fifty times that it sleeps and wakes", async ({ app, tasks }) => {
  const lmsp = app.lmsp();
  const { id } = await lmsp.create({ ...slow, max_output_tokens: 60 });
  await expect(tasks.row("bees")).toContainText("Running");
  const listeners = await app.electron.evaluate(({ powerMonitor }) => {
    const count = () => powerMonitor.listenerCount("suspend") + powerMonitor.listenerCount("resume");
    const before = count();
    for (let time = 0; time < 50; time += 1) {
      powerMonitor.emit("suspend");
      powerMonitor.emit("resume");
    }
    return { before, after: count() };
  });
  expect(listeners.after).toBe(listeners.before);
  await expect(tasks.row("bees")).toContainText("Succeeded");
  const events = await lmsp.allEvents(id);
  expect(events.map(({ id: number }) => number)).toEqual(events.map((_, index) => index));
});

test("a crashed page comes back with everything that it showed", async ({ app, tasks }) => {
  const lmsp = app.lmsp();
  const { id } = await lmsp.create({ model: "simmer-demo", input: "What is the capital of Spain?" });
  await lmsp.until(id, "succeeded");
  await expect(tasks.row("Spain")).toContainText("Succeeded");
  const [renderer] = descendantsOf(app.endpoint.pid).filter((pid) => commandOf(pid).includes("--type=renderer"));
  const loadedAgain = app.electron.evaluate(
    ({ BrowserWindow }) =>
      new Promise<void>((resolve) => {
        BrowserWindow.getAllWindows()[0]?.webContents.once("did-finish-load", () => resolve());
      }),
  );
  process.kill(Number(renderer), "SIGKILL");
  await loadedAgain;
  await expect
    .poll(() =>
      app.electron.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript("document.body.innerText"),
      ),
    )
    .toContain("What is the capital of Spain?");
});

test("quitting ends every process and takes the endpoint's file away", async () => {
  const app = await SimmerApp.launch();
  const lmsp = app.lmsp();
  await lmsp.until((await lmsp.create(slow)).id, "running");
  const processes = [app.endpoint.pid, ...descendantsOf(app.endpoint.pid)];
  await app.close();
  for (const pid of processes) await isGone(pid);
  expect(() => app.endpoint).toThrow();
  rmSync(app.dataDir, { recursive: true, force: true });
});

async function inferenceOf(app: SimmerApp): Promise<number> {
  const find = () => childrenOf(app.endpoint.pid).filter((pid) => commandOf(pid).includes("node.mojom.NodeService"));
  await expect.poll(() => find().length).toBe(1);
  return Number(find()[0]);
}
