import { AxeBuilder } from "@axe-core/playwright";
import type { Answering } from "./agent";
import { SimmerApp } from "./simmer-app";
import { TasksPage } from "./tasks-page";
import { expect, test } from "./test";
import { trip } from "./trip-form";
import { TwoModels } from "./two-models";

test("a person without a mouse answers what an agent asks over MCP, and the agent's call ends with it", async ({
  app,
  tasks,
}) => {
  await using agent = await app.agent();
  const id = await agent.start("ask_person", { question: "Which city?" });
  const result = agent.result(id);
  await expect(tasks.row("Which city?")).toContainText("agent");
  await expect(app.page.getByRole("alert").filter({ hasText: "agent asks: Which city?" })).toBeAttached();
  await tasks.list.focus();
  await app.page.keyboard.press("Enter");
  await tasks.tabTo(tasks.question.getByRole("textbox", { name: "Answer" }));
  await app.page.keyboard.type("Lisbon, not Porto");
  await app.page.keyboard.press("Control+Enter");
  await expect(tasks.detail.getByText("Your answer was sent.")).toBeVisible();
  expect((await result).structuredContent).toEqual({ action: "accept", content: { answer: "Lisbon, not Porto" } });
  await expect(tasks.question).toBeHidden();
  await expect(tasks.row("Which city?")).toContainText("Succeeded");
  await expect(tasks.detail.getByText("You answered")).toBeVisible();
});

test("a question can be declined and dismissed", async ({ app, tasks }) => {
  await using agent = await app.agent();
  for (const [button, action] of [
    ["Decline", "decline"],
    ["Dismiss", "cancel"],
  ] as const) {
    const question = `May I ${action}?`;
    const id = await agent.start("ask_person", { question });
    await tasks.open(question);
    await tasks.question.getByRole("button", { name: button }).click();
    expect((await agent.result(id)).structuredContent).toEqual({ action });
  }
});

test("when the agent answers first, the card closes and says who it was", async () => {
  await using models = await TwoModels.make();
  await using app = await SimmerApp.launch({ args: ["--client", "agent"], modelsDir: models.folder });
  const tasks = new TasksPage(app.page);
  let answer: (answer: Awaited<ReturnType<Answering>>) => void = () => undefined;
  const answered = new Promise<Awaited<ReturnType<Answering>>>((resolve) => {
    answer = resolve;
  });
  await using agent = await app.agent(() => answered);
  const id = await agent.start("generate", { prompt: "Write a story about a kite.", max_output_tokens: 5 });
  const result = agent.result(id);
  await tasks.open("kite");
  await expect(tasks.question).toContainText("agent may answer too.");
  await tasks.question.getByRole("radio").first().check();
  answer({ action: "accept", content: { model: "slow-too" } });
  await expect(tasks.detail.getByRole("alert")).toHaveText("agent answered. The task goes on.");
  await expect(tasks.question).toBeHidden();
  expect((await result).isError ?? false).toBe(false);
  await expect(tasks.detail.getByText("agent answered", { exact: true })).toBeVisible();
  await expect(tasks.row("kite")).toContainText("Succeeded");
});

test("the form says what is wrong with an answer, and sends none before it is right", async ({ app, tasks }) => {
  await using agent = await app.agent();
  const id = await agent.start("ask_person", trip);
  const result = agent.result(id);
  await tasks.open("Where shall the report send you?");
  const field = (name: string) => tasks.question.getByRole("textbox", { name });
  await tasks.question.getByRole("button", { name: "Send" }).click();
  await expect(field("City")).toBeFocused();
  await expect(field("City")).toHaveAccessibleDescription("This is required.");
  await field("City").fill("X");
  await field("Mail").fill("nobody");
  await field("Nights").fill("1.5");
  await tasks.question.getByRole("checkbox", { name: "By train" }).check();
  await expect(tasks.question.getByRole("radiogroup", { name: "Season" })).toHaveAccessibleDescription("Choose one.");
  await app.page.keyboard.press("Control+Enter");
  for (const name of ["City", "Mail", "Nights"]) await expect(field(name)).toHaveAttribute("aria-invalid", "true");
  expect(await agent.status(id)).toBe("working");
  await field("City").fill("Lisbon");
  await field("Mail").fill("ada@example.com");
  await field("Nights").fill("3");
  await tasks.question.getByRole("radio", { name: "Autumn" }).check();
  await tasks.question.getByRole("button", { name: "Send" }).click();
  expect((await result).structuredContent).toEqual({
    action: "accept",
    content: { city: "Lisbon", mail: "ada@example.com", nights: 3, season: "autumn", extras: ["train"], alone: true },
  });
});

test("a task of an agent shows whose it is and where its time goes, and cancelling it ends the agent's wait", async ({
  app,
  tasks,
}) => {
  await using agent = await app.agent();
  const id = await agent.start("generate", { prompt: "Write a long report about bees.", model: "simmer-slow" });
  const failed = agent.result(id).catch((error: Error) => error);
  const row = tasks.row("Write a long report about bees.");
  await expect(row).toContainText("agent");
  await expect(row).toContainText("MCP");
  await expect(row).toContainText("Running");
  await tasks.open("bees");
  await tasks.outputOf(10);
  expect((await tasks.timelineBars()).map(({ status }) => status)).toContain("running");
  await row.getByRole("button", { name: /^Cancel/ }).click();
  await expect(row).toContainText("Cancelled");
  expect(await failed).toMatchObject({ code: -32603, message: expect.stringContaining("Task was cancelled") });
  expect(await agent.status(id)).toBe("cancelled");
});

for (const theme of ["light", "dark"] as const) {
  test(`axe finds nothing on a question, ${theme}`, async () => {
    await using app = await SimmerApp.launch({ theme, args: ["--client", "agent"] });
    await using agent = await app.agent();
    const tasks = new TasksPage(app.page);
    const violations = async () => {
      const { violations: found } = await new AxeBuilder({ page: app.page }).setLegacyMode(true).analyze();
      return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    };
    await agent.start("ask_person", trip);
    await tasks.open("Where shall the report send you?");
    await expect(tasks.question).toBeVisible();
    expect(await violations()).toEqual([]);
    await tasks.question.getByRole("button", { name: "Send" }).click();
    await expect(tasks.question.getByText("This is required.")).toHaveCount(2);
    expect(await violations()).toEqual([]);
    await tasks.question.getByRole("button", { name: "Decline" }).click();
    await expect(tasks.detail.getByText("You declined.")).toBeVisible();
    expect(await violations()).toEqual([]);
  });
}
