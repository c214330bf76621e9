import { test as base, expect } from "@playwright/test";
import { SimmerApp } from "./simmer-app";
import { TasksPage } from "./tasks-page";

export { expect };

interface Fixtures {
  /** An app of this test's own, with an empty data folder and a second client, `agent`. */
  readonly app: SimmerApp;
  readonly tasks: TasksPage;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
  app: async ({}, use) => {
    await using app = await SimmerApp.launch({ args: ["--client", "agent"] });
    await use(app);
  },
  tasks: async ({ app }, use) => use(new TasksPage(app.page)),
});
