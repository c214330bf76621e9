import type { NewTask, Preferences } from "../../shared/desktop/contract";
import type { Feed } from "../../shared/desktop/feed";
import type { PersonAnswer } from "../../shared/desktop/questions";
import type { TaskRow } from "../../shared/desktop/rows";
import type { TaskStatus } from "../../shared/lifecycle";
import { type Bridge, CallProblem } from "../bridge";
import { Announcements } from "./announcements";
import type { FieldValue } from "./answer-draft";
import { applyFeed, listOf, placeOf, type TaskList } from "./apply-feed";
import { checkDraft, type Draft, emptyDraft } from "./draft";
import { FrameBatch, type Scheduler } from "./frame-batch";
import type { WindowStore } from "./store";
import { Watcher } from "./watcher";

const retryAfter = 1_000;

export interface SessionParts {
  readonly bridge: Bridge;
  readonly store: WindowStore;
  readonly wordOf: (status: TaskStatus) => string;
  /** How a question is told that waits for the person. */
  readonly askedIn: (row: TaskRow, message: string) => string;
  readonly schedule?: Scheduler;
}

/**
 * The window's conversation with the main process: it alone asks and hears, and it alone changes what is shown.
 * Either it is in step, then each message of the feed is applied; or it reads a snapshot, then messages wait for it.
 */
export class Session {
  readonly #bridge: Bridge;
  readonly #store: WindowStore;
  readonly #watcher: Watcher;
  readonly #announcements: Announcements;
  readonly #askedIn: SessionParts["askedIn"];
  readonly #batch: FrameBatch<Feed | null>;
  #waiting: Feed[] | null = null;
  #notices = 0;
  #stops: (() => void)[] = [];

  constructor({ bridge, store, wordOf, askedIn, schedule }: SessionParts) {
    this.#bridge = bridge;
    this.#store = store;
    this.#askedIn = askedIn;
    this.#batch = new FrameBatch((feeds) => this.#takeAll(feeds), schedule);
    this.#announcements = new Announcements((announced) => store.setState({ announced }), wordOf);
    this.#watcher = new Watcher({
      read: (id) => bridge.ask("watch", { id }),
      stop: () => bridge.ask("unwatch", null),
      show: (detail) => store.setState({ detail }),
      fail: (error) => this.#tell(error),
    });
  }

  /** Begins to listen. The result ends the session. */
  start(): () => void {
    this.#stops = [
      this.#bridge.onFeed((feed) => this.#batch.add(feed)),
      this.#bridge.onCommand((command) => this.#obey(command)),
    ];
    this.#synchronise();
    void this.#try(async () => this.#store.setState(await this.#bridge.ask("preferences", null)));
    void this.readModels();
    return () => this.#end();
  }

  select(selected: string | null): void {
    this.#store.setState({ selected });
    this.#watcher.want(selected);
  }

  /** Selects a task and, in a narrow window, goes to it. */
  open(id: string): void {
    this.select(id);
    this.#store.setState({ pane: "detail" });
  }

  showList(): void {
    this.#store.setState({ pane: "list" });
  }

  search(query: string): void {
    this.#store.setState({ query });
  }

  compose(composing: boolean): void {
    this.#store.setState({ composing });
    if (composing) void this.readModels();
  }

  write(change: Partial<Draft>): void {
    this.#store.setState(({ draft }) => ({ draft: { ...draft, ...change } }));
  }

  /** Runs the draft. The form closes and is emptied only when the task exists; false when the draft has faults. */
  runDraft(): boolean {
    const { draft, creating } = this.#store.getState();
    const checked = checkDraft(draft);
    if ("faults" in checked) return false;
    if (!creating) void this.#createFrom(checked.task, draft.model);
    return true;
  }

  create(task: NewTask): Promise<boolean> {
    this.#store.setState({ creating: true });
    return this.#try(async () => this.open((await this.#bridge.ask("create", task)).id)).finally(() =>
      this.#store.setState({ creating: false }),
    );
  }

  async cancel(id: string): Promise<void> {
    await this.#try(() => this.#bridge.ask("cancel", { id }));
  }

  /** Writes into an answer; nothing is sent. */
  fill(questionId: string, field: string, value: FieldValue): void {
    this.#store.setState(({ answers }) => ({
      answers: new Map(answers).set(questionId, { ...answers.get(questionId), [field]: value }),
    }));
  }

  /** Gives the person's answer. What was written stays until it counts; when somebody was first, it stays for good. */
  async answer(taskId: string, questionId: string, answer: PersonAnswer): Promise<void> {
    if (this.#store.getState().sending.has(questionId)) return;
    this.#setSending(questionId, true);
    const given = await this.#try(() => this.#bridge.ask("answer", { id: taskId, questionId, answer }), isAnswered);
    if (given) this.#forgetAnswer(questionId);
    this.#setSending(questionId, false);
  }

  copy(text: string): Promise<boolean> {
    return this.#try(() => this.#bridge.ask("copy", { text }));
  }

  async readModels(): Promise<void> {
    await this.#try(async () => this.#store.setState({ models: await this.#bridge.ask("models", null) }));
  }

  /** Has a model tried again that was put aside; false when that could not be said. */
  async forgiveModel(model: string): Promise<boolean> {
    const done = await this.#try(() => this.#bridge.ask("forgiveModel", { model }));
    await this.readModels();
    return done;
  }

  async setTheme(theme: Preferences["theme"]): Promise<void> {
    const before = this.#store.getState().theme;
    this.#store.setState({ theme });
    const kept = await this.#try(() => this.#bridge.ask("setPreferences", { theme }));
    if (!kept) this.#store.setState({ theme: before });
  }

  dismiss(id: number): void {
    this.#store.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) }));
  }

  async #createFrom(task: NewTask, model: string): Promise<void> {
    if (await this.create(task)) this.#store.setState({ composing: false, draft: { ...emptyDraft, model } });
  }

  #setSending(questionId: string, isSending: boolean): void {
    this.#store.setState(({ sending }) => {
      const others = [...sending].filter((id) => id !== questionId);
      return { sending: new Set(isSending ? [...others, questionId] : others) };
    });
  }

  #forgetAnswer(questionId: string): void {
    this.#store.setState(({ answers }) => ({ answers: new Map([...answers].filter(([id]) => id !== questionId)) }));
  }

  #obey(command: string): void {
    if (command === "new-task") this.compose(true);
  }

  /** Reads the whole list. What the feed says meanwhile is applied on top, as far as it goes on from there. */
  #synchronise(): void {
    if (this.#waiting === null) void this.#readSnapshot();
  }

  async #readSnapshot(): Promise<void> {
    this.#waiting = [];
    const read = await this.#try(async () => {
      const snapshot = await this.#bridge.ask("snapshot", null);
      const before = this.#store.getState().list;
      for (const row of snapshot.rows) this.#tellQuestion(before?.rows.get(row.id), row);
      this.#setList(listOf(snapshot, before));
    });
    if (read) this.#resume(this.#waiting);
    else this.#later(() => void this.#readSnapshot());
  }

  #resume(waiting: readonly Feed[]): void {
    this.#waiting = null;
    this.#watcher.reread();
    this.#takeAll(waiting);
  }

  #later(run: () => void): void {
    const timer = setTimeout(run, retryAfter);
    this.#stops.push(() => clearTimeout(timer));
  }

  #takeAll(feeds: readonly (Feed | null)[]): void {
    for (const feed of feeds) this.#take(feed);
  }

  #take(feed: Feed | null): void {
    const { list } = this.#store.getState();
    if (this.#waiting !== null) {
      if (feed !== null) this.#waiting.push(feed);
    } else if (feed === null || list === null || placeOf(list, feed) === "gap") {
      this.#synchronise(); // something that was said is lost
    } else if (placeOf(list, feed) === "next") {
      for (const row of feed.rows) this.#announce(list.rows.get(row.id), row);
      this.#setList(applyFeed(list, feed));
      this.#watcher.take(feed);
    }
  }

  /** A question is told at once, and then its status needs no words of its own. */
  #announce(before: TaskRow | undefined, after: TaskRow): void {
    if (!this.#tellQuestion(before, after)) this.#announcements.take(before, after);
  }

  /** Says a question that was not known yet, also one that was asked before the window could hear of it. */
  #tellQuestion(before: TaskRow | undefined, after: TaskRow): boolean {
    const { question } = after;
    if (question === null || question.id === before?.question?.id) return false;
    this.#store.setState({ asked: this.#askedIn(after, question.message) });
    return true;
  }

  /** A task that left the list cannot stay selected. One that was just created may not be in it yet. */
  #setList(list: TaskList): void {
    const { selected, list: before } = this.#store.getState();
    this.#store.setState({ list });
    if (selected !== null && before?.rows.has(selected) && !list.rows.has(selected)) this.select(null);
  }

  /** False when it went wrong, which is told, unless it is known by other means already. */
  async #try(act: () => Promise<unknown>, isKnown: (error: unknown) => boolean = () => false): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      if (!isKnown(error)) this.#tell(error);
      return false;
    }
  }

  /** Says what went wrong; the same words once. */
  #tell(error: unknown): void {
    const code = error instanceof CallProblem ? error.code : "internal";
    const text = error instanceof Error ? error.message : String(error);
    this.#notices += 1;
    const notice = { id: this.#notices, text, code };
    this.#store.setState(({ notices }) => ({ notices: [...notices.filter((one) => one.text !== text), notice] }));
  }

  #end(): void {
    for (const stop of this.#stops) stop();
    this.#batch.close();
    this.#announcements.close();
  }
}

/** The question's card says by whom, for the answer comes with the feed. */
function isAnswered(error: unknown): boolean {
  return error instanceof CallProblem && error.code === "question_answered";
}
