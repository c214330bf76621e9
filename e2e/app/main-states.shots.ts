import { shootStates } from "./shoot-states";
import { SimmerApp } from "./simmer-app";
import { TasksPage } from "./tasks-page";
import { expect, test } from "./test";

for (const theme of ["light", "dark"] as const) {
  test(`the main states, ${theme}`, async () => {
    await using app = await SimmerApp.launch({ theme, args: ["--client", "agent", "--set", "limits.parallel=2"] });
    const tasks = new TasksPage(app.page);
    const lmsp = app.lmsp("agent");
    const shoot = (name: string) => shootStates(app, `${name}-${theme}`);
    await expect(app.page.getByText("Nothing has run yet")).toBeVisible();
    await shoot("empty");

    await tasks.create("Write a story about a kite.", { model: "simmer-demo" });
    await expect(tasks.row("kite")).toContainText("Succeeded");
    await lmsp.until(
      (await lmsp.create({ model: "simmer-demo", input: "What is the capital of Japan?" })).id,
      "succeeded",
    );
    const schema = { type: "object", properties: { answer: { type: "string", pattern: "^a" } } };
    const format = { type: "json_schema", name: "answer", schema };
    const broken = await lmsp.create({ model: "simmer-demo", input: "Answer with a code.", text: { format } });
    await lmsp.until(broken.id, "failed");
    const stopped = await lmsp.create({ model: "simmer-slow", input: "Explain how to make tea." });
    await lmsp.until(stopped.id, "running");
    await lmsp.cancel(stopped.id);
    await lmsp.create({ model: "simmer-slow", input: "Write a long report about bees.", temperature: 0 });
    await tasks.create("Write a long report about bicycles.", { model: "simmer-slow" });
    await lmsp.create({ model: "simmer-slow", input: "Write a long report about old maps." });
    await tasks.open("bicycles");
    await tasks.outputOf(200);
    await shoot("running");
    await tasks.open("code");
    await shoot("failed");
    await tasks.open("kite");
    await tasks.outputOf(100);
    await shoot("succeeded");
    await app.page.keyboard.press("Control+n");
    await shoot("new-task");
  });
}
