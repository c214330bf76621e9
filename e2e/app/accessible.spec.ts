import { AxeBuilder } from "@axe-core/playwright";
import { SimmerApp } from "./simmer-app";
import { TasksPage } from "./tasks-page";
import { expect, test } from "./test";

for (const theme of ["light", "dark"] as const) {
  test(`axe finds nothing on any screen, ${theme}`, async () => {
    await using app = await SimmerApp.launch({ theme });
    const tasks = new TasksPage(app.page);
    await expect(app.page.getByText("Nothing has run yet")).toBeVisible();
    const violations = async () => {
      const { violations: found } = await new AxeBuilder({ page: app.page }).setLegacyMode(true).analyze();
      return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    };
    expect(await violations()).toEqual([]);
    await app.page.keyboard.press("Control+n");
    await expect(app.page.getByRole("dialog", { name: "New task" })).toBeVisible();
    expect(await violations()).toEqual([]);
    await app.page.keyboard.press("Escape");
    await tasks.create("Write a story about a kite.", { model: "simmer-demo" });
    await expect(tasks.row("kite")).toContainText("Succeeded");
    await tasks.open("kite");
    await tasks.outputOf(10);
    expect(await violations()).toEqual([]);
  });
}

test("a person without a mouse makes a task, finds it, cancels it and goes on", async ({ app, tasks }) => {
  const { keyboard } = app.page;
  await keyboard.press("Control+n");
  await keyboard.type("Write a long report about bicycles.");
  await keyboard.press("Control+Enter");
  await expect(tasks.row("bicycles")).toContainText(/Running|Loading/);
  await tasks.list.focus();
  await keyboard.press("j");
  await keyboard.press("c");
  await expect(tasks.row("bicycles")).toContainText("Cancelled");
  await keyboard.press("/");
  await keyboard.type("nothing like this");
  await expect(app.page.getByText("No task matches")).toBeVisible();
  await keyboard.press("Escape");
  await expect(tasks.row("bicycles")).toBeVisible();
});
