import { expect, type Locator, type Page } from "@playwright/test";
import type { DesktopBridge } from "../../shared/desktop/contract";
import type { TaskDetail } from "../../shared/desktop/rows";

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

  /** Rows may move while they are aimed at, so it is looked whether the right one was hit. */
  async open(title: string): Promise<void> {
    await expect(async () => {
      await this.row(title).first().click();
      await expect(this.detail.getByRole("heading", { level: 1 })).toContainText(title, { timeout: 1_000 });
    }).toPass();
  }

  /** By the form, as a person would fill it in. */
  async create(prompt: string, options: { model?: string; maxTokens?: number } = {}): Promise<void> {
    await this.page.getByRole("button", { name: "New task" }).click();
    const form = this.page.getByRole("dialog", { name: "New task" });
    await form.getByRole("textbox", { name: "Prompt" }).fill(prompt);
    if (options.model !== undefined) await form.getByRole("combobox", { name: "Model" }).selectOption(options.model);
    if (options.maxTokens !== undefined)
      await form.getByRole("textbox", { name: "Max tokens" }).fill(String(options.maxTokens));
    await this.page.keyboard.press("Control+Enter");
    await expect(form).toBeHidden();
  }

  async cancel(title: string): Promise<void> {
    await this.row(title)
      .getByRole("button", { name: /^Cancel/ })
      .click();
  }

  /** The card of the open question. */
  get question(): Locator {
    return this.detail.getByRole("region", { name: / asks$/ });
  }

  /** By the Tab key alone; fails where it does not come there. */
  async tabTo(target: Locator): Promise<void> {
    await expect(target).toBeVisible();
    for (let presses = 0; presses < 30; presses += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press("Tab");
    }
    await expect(target).toBeFocused({ timeout: 1 });
  }

  get output(): Locator {
    return this.detail.getByRole("tabpanel", { name: "Output" });
  }

  /** Waits until the output has more than so many characters; returns it. */
  async outputOf(length: number): Promise<string> {
    // Until then something else stands there.
    await expect(this.detail.getByText("First token")).toBeVisible({ timeout: 60_000 });
    await expect.poll(async () => (await this.text()).length, { timeout: 60_000 }).toBeGreaterThan(length);
    return this.text();
  }

  /** The output as it stands there. */
  async text(): Promise<string> {
    return (await this.output.textContent()) ?? "";
  }

  /** The output as the model wrote it, before it is formatted. */
  async rawOutput(): Promise<string> {
    await this.showRaw();
    return this.text();
  }

  async showRaw(): Promise<void> {
    await this.detail.getByRole("button", { name: "Raw" }).click();
  }

  /** What is stored of the task's transitions. */
  async storedChanges(id: string): Promise<{ to: string; at: number }[]> {
    return (await this.#stored(id)).changes.map(({ to, at }) => ({ to, at }));
  }

  /** The output that is stored of a task made here, which the page may show a moment later. */
  async storedOutput(title: string): Promise<string> {
    const id = await this.page.evaluate(async (wanted) => {
      const { simmer } = globalThis as unknown as { simmer: DesktopBridge };
      const answer = await simmer.call("snapshot", null);
      if (!answer.ok) throw new Error(answer.problem.detail);
      return answer.value.rows.find((row) => row.title.includes(wanted))?.id ?? "";
    }, title);
    return (await this.#stored(id)).output.map(({ text }) => text).join("");
  }

  /** By the same call that the window makes. */
  #stored(id: string): Promise<TaskDetail> {
    return this.page.evaluate(async (task) => {
      const { simmer } = globalThis as unknown as { simmer: DesktopBridge };
      const answer = await simmer.call("watch", { id: task });
      if (!answer.ok) throw new Error(answer.problem.detail);
      return answer.value;
    }, id);
  }

  /** The timeline's bars, in order: what each stands for, and from when to when. */
  async timelineBars(): Promise<{ status: string; from: number; to: number }[]> {
    const bars = this.detail.locator("[data-status][data-from]");
    await expect(bars.first()).toBeVisible();
    return bars.evaluateAll((elements) =>
      elements.map((element) => {
        const { status = "", from, to } = (element as HTMLElement).dataset;
        return { status, from: Number(from), to: Number(to) };
      }),
    );
  }
}
