import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SimmerApp, temporaryFolder } from "./simmer-app";
import { TasksPage } from "./tasks-page";
import { expect, test } from "./test";

/** Chooses an item of the menu, with `path` as what the person chooses then; returns what the app says of it. */
async function choose(
  app: SimmerApp,
  item: string,
  path: string,
): Promise<{ type: string; message: string; detail?: string }> {
  return await app.electron.evaluate(
    async ({ dialog, Menu }, { item, path }) => {
      const chosen = path === "" ? [] : [path];
      dialog.showSaveDialog = async () => ({ canceled: path === "", filePath: path });
      dialog.showOpenDialog = async () => ({ canceled: path === "", filePaths: chosen });
      const told = new Promise<unknown>((resolve) => {
        dialog.showMessageBox = async (...given: unknown[]) => {
          resolve(given.at(-1));
          return { response: 0, checkboxChecked: false };
        };
      });
      Menu.getApplicationMenu()?.getMenuItemById(item)?.click();
      return (await told) as never;
    },
    { item, path },
  );
}

test("all tasks are exported and backed up from the menu, and imported by another app, which shows them at once", async ({
  app,
  tasks,
}) => {
  const folder = temporaryFolder();
  await tasks.create("Write a story about a kite.", { model: "simmer-slow", maxTokens: 20 });
  await expect(tasks.row("Write a story about a kite.")).toContainText("Succeeded");
  const [lines, copy] = [join(folder, "all.jsonl"), join(folder, "copy.db")];
  // The dialog has asked whether it may be replaced.
  writeFileSync(lines, "old");
  expect(await choose(app, "export", lines)).toMatchObject({ type: "info", message: `Exported 1 task to ${lines}.` });
  expect(await choose(app, "back-up", copy)).toMatchObject({ type: "info", message: `Backed up 1 task to ${copy}.` });
  expect(readdirSync(folder).sort()).toEqual(["all.jsonl", "copy.db"]);

  await using other = await SimmerApp.launch();
  const page = new TasksPage(other.page);
  expect(await choose(other, "import", lines)).toMatchObject({ type: "info", message: "Imported 1 task." });
  await expect(page.row("Write a story about a kite.")).toContainText("Succeeded");
  await page.open("Write a story about a kite.");
  await tasks.open("Write a story about a kite.");
  await Promise.all([page.showRaw(), tasks.showRaw()]);
  expect(await page.rawOutput()).toBe(await tasks.rawOutput());
  expect(await choose(other, "import", copy)).toMatchObject({
    type: "error",
    detail: expect.stringContaining("nothing is changed. Line 1 is not JSON"),
  });
  const audited = readFileSync(join(other.dataDir, "audit.log"), "utf8");
  expect(audited).toContain('"action":"imported"');
});

test("a file of Simmer's own is not replaced, and the app works on", async ({ app, tasks }) => {
  const own = join(app.dataDir, "simmer.db");
  expect(await choose(app, "back-up", own)).toMatchObject({
    type: "error",
    detail: expect.stringContaining("Nothing in Simmer's own folder"),
  });
  await tasks.create("Write a story about a kite.", { model: "simmer-slow", maxTokens: 5 });
  await expect(tasks.row("Write a story about a kite.")).toContainText("Succeeded");
});
