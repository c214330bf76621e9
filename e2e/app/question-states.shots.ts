import { shootStates } from "./shoot-states";
import { SimmerApp } from "./simmer-app";
import { TasksPage } from "./tasks-page";
import { expect, test } from "./test";
import { trip } from "./trip-form";
import { TwoModels } from "./two-models";

for (const theme of ["light", "dark"] as const) {
  test(`the states of a question, ${theme}`, async () => {
    await using models = await TwoModels.make();
    await using app = await SimmerApp.launch({ theme, args: ["--client", "agent"], modelsDir: models.folder });
    await using agent = await app.agent(() => new Promise(() => undefined));
    const tasks = new TasksPage(app.page);
    const shoot = (name: string) => shootStates(app, `${name}-${theme}`);
    await agent.start("ask_person", { question: "Which city shall the report be about?" });
    await tasks.open("Which city");
    await tasks.question.getByRole("textbox").fill("Lisbon");
    await shoot("question-text");
    await agent.start("ask_person", trip);
    await tasks.open("Where shall");
    await shoot("question-form");
    await tasks.question.getByRole("button", { name: "Send" }).click();
    await shoot("question-faults");
    await agent.start("generate", { prompt: "Write a long report about bees.", max_output_tokens: 40 });
    await tasks.open("bees");
    await shoot("question-model");
    await tasks.question.getByRole("radio").first().check();
    await tasks.question.getByRole("button", { name: "Send" }).click();
    await expect(tasks.row("bees")).toContainText("Succeeded");
    await shoot("question-answered");
  });
}
