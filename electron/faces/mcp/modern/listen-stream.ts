import { type Implementation, SERVER_INFO_META_KEY, SUBSCRIPTION_ID_META_KEY } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type EventFrames, messageFrame, messageOf } from "./event-frames";
import type { TaskWatch } from "./task-watch";

const ackSchema = z.looseObject({
  params: z.looseObject({ notifications: z.record(z.string(), z.unknown()) }),
});

/**
 * The SDK's stream of a subscription with the tasks added: in its acknowledgement, then as notifications.
 * It begins with the acknowledgement and ends gracefully when nothing can come any more: the tasks have ended, and the
 * SDK tells nothing or has ended too. A slow reader is shown a task only as it is when it reads on.
 */
export class ListenStream {
  readonly readable: ReadableStream<Uint8Array>;
  readonly #id: string | number;
  readonly #taskIds: readonly string[];
  readonly #serverInfo: Implementation;
  readonly #sdk: EventFrames;
  readonly #watchOf: (onNews: () => void) => TaskWatch;
  readonly #encoder = new TextEncoder();
  #watch: TaskWatch | undefined;
  #sdkTells = false;

  constructor(
    id: string | number,
    taskIds: readonly string[],
    serverInfo: Implementation,
    sdk: EventFrames,
    watchOf: (onNews: () => void) => TaskWatch,
  ) {
    this.#id = id;
    this.#taskIds = taskIds;
    this.#serverInfo = serverInfo;
    this.#sdk = sdk;
    this.#watchOf = watchOf;
    this.readable = new ReadableStream({
      start: (controller) => this.#start(controller),
      pull: (controller) => this.#tellTasks(controller),
      cancel: () => this.#close(),
    });
  }

  async #start(controller: Controller): Promise<void> {
    const { params, ...ack } = ackSchema.parse(messageOf((await this.#sdk.next()) ?? ""));
    this.#sdkTells = Object.keys(params.notifications).length > 0;
    const notifications = { ...params.notifications, taskIds: this.#taskIds };
    this.#send(controller, messageFrame({ ...ack, params: { ...params, notifications } }));
    this.#watch = this.#watchOf(() => this.#tellTasks(controller));
    if (this.#sdkTells) void this.#forward(controller);
    else await this.#sdk.close();
  }

  /** The SDK's own notifications; its end is the end of all. */
  async #forward(controller: Controller): Promise<void> {
    try {
      for (let frame = await this.#sdk.next(); frame !== undefined; frame = await this.#sdk.next())
        this.#send(controller, frame);
    } catch {
      // Cut short, which only a stop of the server does; the reader sees an end either way.
    }
    // Otherwise its reader has left already.
    if (this.#watch !== undefined) controller.close();
    this.#leave();
  }

  #tellTasks(controller: Controller): void {
    const watch = this.#watch;
    if (watch === undefined || (controller.desiredSize ?? 0) <= 0) return;
    const frames = watch
      .take()
      .map((task) => messageFrame({ method: "notifications/tasks", params: { ...task, ...this.#about } }));
    const isLast = watch.isOver && !this.#sdkTells;
    if (isLast) frames.push(messageFrame({ id: this.#id, result: this.#result }));
    // A reader that waits asks for more from within: what is taken is said at once, and the end only once.
    if (isLast) this.#leave();
    if (frames.length > 0) this.#send(controller, frames.join(""));
    if (isLast) controller.close();
  }

  get #result() {
    return { resultType: "complete", _meta: { ...this.#about._meta, [SERVER_INFO_META_KEY]: this.#serverInfo } };
  }

  get #about() {
    return { _meta: { [SUBSCRIPTION_ID_META_KEY]: this.#id } };
  }

  #send(controller: Controller, frame: string): void {
    controller.enqueue(this.#encoder.encode(frame));
  }

  #leave(): void {
    this.#watch?.close();
    this.#watch = undefined;
  }

  async #close(): Promise<void> {
    this.#leave();
    await this.#sdk.close();
  }
}

type Controller = ReadableStreamDefaultController<Uint8Array>;
