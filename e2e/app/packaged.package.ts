import { fileURLToPath } from "node:url";
import { SimmerApp } from "./simmer-app";
import { TasksPage } from "./tasks-page";
import { expect, test } from "./test";

const folder = fileURLToPath(new URL("../../dist/", import.meta.url));
const executable = `${folder}package/linux-unpacked/simmer`;

test("the packaged app runs a task of its endpoint, and shows it", async () => {
  await using app = await SimmerApp.launch({ executable, args: ["--client", "agent"] });
  expect(await app.electron.evaluate(({ app: electron }) => electron.isPackaged)).toBe(true);
  const tasks = new TasksPage(app.page);
  const lmsp = app.lmsp("agent");
  const { id } = await lmsp.create({ model: "simmer-demo", input: "Write a story about a kite." });
  await lmsp.until(id, "succeeded");
  await expect(tasks.row("kite")).toContainText("Succeeded");
  await tasks.open("Write a story about a kite.");
  await tasks.outputOf(100);
  await app.page.screenshot({ path: `${folder}screenshots/packaged.png` });
});
