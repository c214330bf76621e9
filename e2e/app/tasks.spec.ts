import { expect, test } from "./test";

const slow = { model: "simmer-slow", input: "Write a long report about bees.", temperature: 0 };

test("a person makes a task in the window and watches it being written", async ({ tasks }) => {
  await tasks.create("Write a story about a kite.", { model: "simmer-slow", maxTokens: 80 });
  await tasks.open("Write a story about a kite.");
  await tasks.showRaw();
  const early = await tasks.outputOf(20);
  const later = await tasks.outputOf(early.length + 20);
  expect(later.startsWith(early)).toBe(true);
  await expect(tasks.row("Write a story about a kite.")).toContainText("Succeeded");
});

test("a sample of the empty state runs with one click", async ({ tasks }) => {
  await tasks.page.getByRole("button", { name: "Run: Write a story about a kite." }).click();
  await expect(tasks.row("Write a story about a kite.")).toContainText("Succeeded");
});

test("a running task is cancelled from its row, and its engine stops", async ({ app, tasks }) => {
  await tasks.create("Write a long report about bicycles.", { model: "simmer-slow" });
  await expect(tasks.row("bicycles")).toContainText("Running");
  await tasks.open("bicycles");
  await tasks.outputOf(10);
  await tasks.cancel("bicycles");
  await expect(tasks.row("bicycles")).toContainText("Cancelled");
  const stopped = await tasks.storedOutput("bicycles");
  const next = await app.lmsp().create({ ...slow, max_output_tokens: 5 });
  expect((await app.lmsp().until(next.id, "succeeded")).error).toBeNull();
  expect(await tasks.storedOutput("bicycles")).toBe(stopped);
  expect(await tasks.rawOutput()).toBe(stopped);
});

test("a task of another client appears live with that client's name, and can be stopped here", async ({
  app,
  tasks,
}) => {
  const lmsp = app.lmsp("agent");
  const { id } = await lmsp.create(slow);
  const row = tasks.row("Write a long report about bees.");
  await expect(row).toContainText("agent");
  await expect(row).toContainText("LMSP");
  await expect(row).toContainText("Running");
  await row.getByRole("button", { name: /^Cancel/ }).click();
  expect((await lmsp.until(id, "cancelled")).status).toBe("cancelled");
});

test("a reload in the middle of a stream shows the same text, once", async ({ app, tasks }) => {
  const lmsp = app.lmsp();
  const { id } = await lmsp.create({ ...slow, max_output_tokens: 120 });
  await tasks.open("bees");
  await tasks.outputOf(40);
  for (let reload = 0; reload < 3; reload += 1) {
    await tasks.page.reload();
    await tasks.open("bees");
    await tasks.outputOf(40);
  }
  await lmsp.until(id, "succeeded");
  await expect(tasks.row("bees")).toContainText("Succeeded");
  const shown = await tasks.rawOutput();
  const stored = (await lmsp.task(id)).response?.output[0]?.content[0]?.text;
  expect(shown).toBe(stored);
});

test("two tasks' texts never mix, however often a person goes from one to the other", async ({ app, tasks }) => {
  const lmsp = app.lmsp();
  const done = await lmsp.create({ model: "simmer-demo", input: "Write a story about a fox.", temperature: 0 });
  await lmsp.until(done.id, "succeeded");
  const running = await lmsp.create({ ...slow, max_output_tokens: 100 });
  for (let turn = 0; turn < 20; turn += 1) await tasks.open(turn % 2 === 0 ? "bees" : "fox");
  await lmsp.until(running.id, "succeeded");
  for (const [title, id] of [
    ["fox", done.id],
    ["bees", running.id],
  ] as const) {
    await tasks.open(title);
    await expect(tasks.row(title)).toContainText("Succeeded");
    expect(await tasks.rawOutput()).toBe((await lmsp.task(id)).response?.output[0]?.content[0]?.text);
  }
});

test("the timeline's bars are the stored transitions", async ({ app, tasks }) => {
  const lmsp = app.lmsp();
  const { id } = await lmsp.create({ ...slow, max_output_tokens: 40 });
  await lmsp.until(id, "succeeded");
  await tasks.open("bees");
  await expect(tasks.row("bees")).toContainText("Succeeded");
  const changes = await tasks.storedChanges(id);
  const bars = await tasks.timelineBars();
  // Running is shown in two parts: until the first token, and from then on.
  const merged = bars.filter(({ status }, index) => index === 0 || bars[index - 1]?.status !== status);
  expect(merged.map(({ status, from }) => ({ status, from }))).toEqual(
    changes.slice(0, -1).map(({ to, at }) => ({ status: to, from: at })),
  );
  for (const [index, bar] of bars.entries()) expect(bar.to).toBe(bars[index + 1]?.from ?? changes.at(-1)?.at);
});
