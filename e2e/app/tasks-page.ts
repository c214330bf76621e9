import { expect, type Locator, type Page } from "@playwright/test";

/** What a person sees and does in the window; the only place that knows how to find it. */
export class TasksPage {
  readonly page: Page;
  readonly list: Locator;
  readonly detail: Locator;
  readonly statusBar: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole("grid", { name: "Tasks" });
    this.detail = page.getByRole("region", { name: "Task", exact: true });
    this.statusBar = page.getByRole("contentinfo");
  }

  row(title: string | RegExp): Locator {
    return this.list.getByRole("row").filter({ hasText: title });
  }

  async open(title: string | RegExp): Promise<void> {
    await this.row(title).first().click();
  }

  /** By the form, as a person would fill it in. */
  async create(prompt: string, options: { model?: string; maxTokens?: number } = {}): Promise<void> {
    await this.page.getByRole("button", { name: "New task" }).click();
    const form = this.page.getByRole("dialog", { name: "New task" });
    await form.getByLabel("Prompt").fill(prompt);
    if (options.model !== undefined) await form.getByLabel("Model").selectOption(options.model);
    if (options.maxTokens !== undefined) await form.getByLabel("Max tokens").fill(String(options.maxTokens));
    await this.page.keyboard.press("Control+Enter");
    await expect(form).toBeHidden();
  }

  async cancel(title: string): Promise<void> {
    await this.row(title)
      .getByRole("button", { name: /^Cancel/ })
      .click();
  }

  get output(): Locator {
    return this.detail.getByRole("tabpanel", { name: "Output" });
  }

  /** Waits until the output has at least so many characters; returns it. */
  async outputOf(length: number): Promise<string> {
    await expect.poll(async () => (await this.output.textContent()).length, { timeout: 60_000 }).toBeGreaterThan(length);
    return this.output.textContent();
  }
}
