import type { CallName, Input, Output } from "../../../shared/desktop/contract";
import type { Feed, HostStatus } from "../../../shared/desktop/feed";
import type { TaskRow } from "../../../shared/desktop/rows";
import type { TaskEvent } from "../../../shared/event";
import type { Json } from "../../../shared/json";
import { type Message, titleOf } from "../../../shared/message";
import { ProblemError } from "../../../shared/problem";
import type { Question } from "../../../shared/question";
import type { Task } from "../../../shared/task";
import type { Clock } from "../../engine/clock";
import type { TaskService } from "../../engine/task-service";
import { detailOf } from "./detail";
import { FeedSender } from "./feed";
import { askedIn, person, viewOf } from "./questions";
import { rowOf } from "./rows";

const everything = {};
/** Rows of one snapshot: what a person can scroll through; older tasks are still stored. */
const mostRows = 10_000;
const eventBatch = 2_000;

/** What the window asks that has nothing to do with tasks. */
export type WindowCalls = "preferences" | "setPreferences" | "copy";
export type ClientCalls = "clients" | "createClient" | "rotateClient" | "revokeClient";

export type Handlers<Names extends CallName> = {
  readonly [Name in Names]: (input: Input<Name>) => Output<Name> | Promise<Output<Name>>;
};

/** The window's face: it asks the same service as every other client, in the name of the person. One per window. */
export class DesktopFace {
  readonly #service: TaskService;
  readonly #host: () => HostStatus;
  readonly #feed: FeedSender;
  readonly #unsubscribe: () => void;
  readonly #detach: () => void;
  #wasShut: boolean;

  constructor(parts: { service: TaskService; clock: Clock; host: () => HostStatus; send: (feed: Feed) => void }) {
    this.#service = parts.service;
    this.#host = parts.host;
    this.#wasShut = this.#isShut();
    this.#feed = new FeedSender({
      clock: parts.clock,
      rev: () => parts.service.rev,
      taskOf: (id) => this.#taskOf(id),
      questionsOf: this.#questionsOf,
      send: parts.send,
    });
    this.#detach = parts.service.attachPerson();
    this.#unsubscribe = parts.service.subscribe(person, (fact) => this.#feed.take(fact));
  }

  /** The host's state changed. */
  tellHost(): void {
    // The list that was read while there was none to read is nothing to go on from.
    if (this.#wasShut && !this.#isShut()) this.#feed.restart();
    this.#wasShut = this.#isShut();
    this.#feed.tellHost(this.#host());
  }

  close(): void {
    this.#unsubscribe();
    this.#detach();
    this.#feed.close();
  }

  readonly handlers: Handlers<Exclude<CallName, WindowCalls | ClientCalls>> = {
    snapshot: () => {
      const tasks = this.#isShut() ? [] : this.#service.list(person, everything, { limit: mostRows });
      const rev = this.#feed.restart();
      return { rev, rows: tasks.map((task) => this.#rowOf(task)), host: this.#host() };
    },
    watch: ({ id }) => this.#watch(id),
    unwatch: () => {
      this.#feed.unwatch();
      return null;
    },
    create: async (input) => ({ id: (await this.#create(input)).id }),
    cancel: ({ id }) => {
      this.#service.cancel(person, everything, id, "cancelled in the window");
      return null;
    },
    answer: ({ id, questionId, answer }) => viewOf(this.#service.answer(person, everything, id, questionId, answer)),
    models: async () => [...(await this.#service.models())],
    forgiveModel: ({ model }) => {
      this.#service.forgiveModel(model);
      return null;
    },
  };

  #isShut(): boolean {
    return this.#host().storage?.state === "shut";
  }

  #watch(id: string): Output<"watch"> {
    const task = this.#service.get(person, everything, id);
    const events = this.#events(id);
    const changes = this.#service.changes(person, everything, id);
    const input = this.#service.input(person, everything, id);
    const detail = detailOf(task, input, changes, this.#questionsOf(id), events, this.#feed.run(id), this.#service.rev);
    this.#feed.watch(
      task,
      detail.output.map(({ text }) => text.length),
    );
    return detail;
  }

  #rowOf(task: Task): TaskRow {
    return rowOf(task, this.#feed.run(task.id), askedIn(task, this.#questionsOf));
  }

  readonly #questionsOf = (id: string): readonly Question[] => this.#service.questions(person, everything, id);

  #events(id: string): TaskEvent[] {
    const all: TaskEvent[] = [];
    for (;;) {
      const batch = this.#service.events(person, everything, id, all.at(-1)?.seq ?? -1, eventBatch);
      all.push(...batch);
      if (batch.length < eventBatch) return all;
    }
  }

  async #create(input: Input<"create">): Promise<Task> {
    const { prompt, system, model, maxTokens, temperature, schema, onRestart } = input;
    const messages: Message[] = [
      ...(system ? [{ role: "system" as const, text: system }] : []),
      { role: "user", text: prompt },
    ];
    const options = {
      ...(maxTokens == null ? {} : { maxTokens }),
      ...(temperature == null ? {} : { temperature }),
      stop: [],
      format: schema == null ? { type: "text" } : { type: "json_schema", schema },
    };
    const { task } = await this.#service.create(person, {
      origin: "desktop",
      listed: true,
      job: "respond",
      title: titleOf(messages),
      model: model ?? null,
      unnamedModel: "refuse",
      input: { messages, options } as unknown as Json,
      onRestart: onRestart ?? "fail",
      ttl: null,
      answers: [],
      faceData: null,
      idempotency: null,
    });
    return task;
  }

  #taskOf(id: string): Task | undefined {
    try {
      return this.#service.current(person, everything, id);
    } catch (error) {
      if (error instanceof ProblemError) return undefined; // removed meanwhile
      throw error;
    }
  }
}
