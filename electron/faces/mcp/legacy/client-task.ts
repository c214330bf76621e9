import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Clock } from "../../../engine/clock";
import type { ClientQuestion } from "./client-question";
import type { OpenSession, Outlet } from "./open-session";
import type { Streams } from "./streams";
import { until } from "./until";

const taskSchema = z.looseObject({ taskId: z.string(), status: z.string(), pollInterval: z.number().optional() });
type SeenTask = z.output<typeof taskSchema>;

/** Milliseconds: what is waited when the client suggests nothing, and the bounds of what it may suggest. */
const interval = { usual: 1_000, shortest: 100, longest: 60_000 };

/** The task that a client made of a request; undefined when it answered otherwise. */
export function createdTask(answer: unknown): SeenTask | undefined {
  return z.looseObject({ task: taskSchema }).safeParse(answer).data?.task;
}

/**
 * A task that the client runs for us. It is asked for until it has ended or needs something, then for its result, which
 * blocks until there is one; each time on whatever stream its session has then. When the result is not needed any more,
 * the task is cancelled. Its receiver may be none of the best: what it says of its task is read loosely.
 */
export class ClientTask {
  readonly #question: ClientQuestion;
  readonly #streams: Streams;
  readonly #clock: Clock;

  constructor(question: ClientQuestion, streams: Streams, clock: Clock) {
    this.#question = question;
    this.#streams = streams;
    this.#clock = clock;
  }

  /** What the request would have been answered; its error is thrown, and one when the client cancelled the task. */
  async result(created: SeenTask): Promise<unknown> {
    const { taskId } = created;
    this.#question.note("client_task_created", taskId);
    try {
      for (let task = created; ; task = taskSchema.parse(await this.#ask("tasks/get", taskId))) {
        if (task.status === "cancelled") {
          this.#question.note("client_task_ended", taskId);
          throw new ProtocolError(ProtocolErrorCode.InternalError, "The client cancelled its task");
        }
        if (task.status !== "working") return await this.#fetch(taskId);
        await this.#pause(task.pollInterval);
      }
    } catch (error) {
      if (this.#question.signal.aborted) this.#cancel(taskId);
      throw error;
    }
  }

  async #fetch(taskId: string): Promise<unknown> {
    const result = await this.#ask("tasks/result", taskId);
    this.#question.note("client_task_ended", taskId);
    return result;
  }

  /** On one stream after another, as they are lost: a receiver answers these as often as they are sent. */
  async #ask(method: string, taskId: string): Promise<unknown> {
    for (;;) {
      const outlet = await this.#nextOutlet();
      const signal = AbortSignal.any([this.#question.signal, outlet.closed]);
      try {
        return await outlet.ask({ method, params: { taskId } }, signal);
      } catch (error) {
        if (!outlet.closed.aborted || this.#question.signal.aborted) throw error;
      }
    }
  }

  #cancel(taskId: string): void {
    const outlet = this.#openOutlet();
    if (outlet?.session.capabilities.tasks?.cancel === undefined) return;
    this.#question.note("client_task_cancelled", taskId);
    // Whatever comes of it: it was worth a try.
    outlet.ask({ method: "tasks/cancel", params: { taskId } }, outlet.closed).catch(() => undefined);
  }

  get #session(): OpenSession {
    return this.#question.outlet.session;
  }

  #openOutlet(): Outlet | undefined {
    const { outlet, about } = this.#question;
    if (!outlet.closed.aborted) return outlet;
    return this.#streams.waitingFor(about, ({ session }) => session === this.#session) ?? this.#session.standalone;
  }

  /** Rejects when the session has ended or the result is not needed any more. */
  #nextOutlet(): Promise<Outlet> {
    return until(this.#question.signal, (resolve, reject) => {
      const look = () => {
        const outlet = this.#openOutlet();
        if (outlet !== undefined) resolve(outlet);
        else if (!this.#streams.sessions.includes(this.#session)) reject(new Error("The session has ended"));
      };
      const stop = this.#streams.onChange(look);
      look();
      return stop;
    });
  }

  #pause(suggested: number | undefined): Promise<void> {
    const { usual, shortest, longest } = interval;
    const wait = Math.min(longest, Math.max(shortest, suggested ?? usual));
    return until(this.#question.signal, (resolve) => this.#clock.after(wait, resolve));
  }
}
