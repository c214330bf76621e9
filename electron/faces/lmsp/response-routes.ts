import { z } from "zod";
import type { TaskEvent } from "../../../shared/event";
import { ProblemError } from "../../../shared/problem";
import type { Task } from "../../../shared/task";
import type { Caller } from "../../engine/caller";
import type { Scope, TaskDraft, TaskService } from "../../engine/task-service";
import type { HttpApp } from "../../http/app";
import { invalidToken } from "../../http/guard";
import type { CallEnd } from "../../http/open-calls";
import { streamSse } from "../../http/sse";
import { base, callerOf, job } from "./caller";
import { respondDraft } from "./job-input";
import { fieldRule, type ResponseRequest, responseRequestSchema } from "./request";
import { refusals, responseSchema } from "./schemas";
import { projectEvents } from "./stream";
import { responseObject } from "./wire";

/** A plain call runs as a task that no list of LMSP shows. */
const scope: Scope = { jobs: [job], listed: false };

/** The same request as a task's, run while the caller waits; a caller that goes away cancels it. */
export function responseRoutes(app: HttpApp, service: TaskService, maxOutputTokens: number): void {
  const body = responseRequestSchema(maxOutputTokens).extend({ stream: z.boolean().nullish() });
  const schema = {
    summary: "Run a response request at once",
    description: `JSON, or the events of the response when \`stream\` is true. ${fieldRule} Idempotency-Key is for tasks.`,
    tags: ["responses"],
    body,
    response: { 200: responseSchema, ...refusals },
  };
  app.post(`${base}/responses`, { schema }, async (request, reply) => {
    const caller = callerOf(request);
    const streams = request.body.stream === true;
    const { openCalls } = app;
    const call = streams
      ? openCalls.openStream(request.credential, reply.raw)
      : openCalls.open(request.credential, reply.raw);
    try {
      const { task } = await service.create(caller, draftOf(request.body));
      const run = new PlainRun(service, caller, task, call.signal);
      if (!streams) return await run.wait();
      await streamSse(reply, run.messages(), call.signal);
    } finally {
      call.close();
    }
  });
}

/** One plain call's task: followed to its end, or cancelled when it is left before. */
class PlainRun {
  readonly #service: TaskService;
  readonly #caller: Caller;
  readonly #task: Task;
  readonly #signal: AbortSignal;

  constructor(service: TaskService, caller: Caller, task: Task, signal: AbortSignal) {
    this.#service = service;
    this.#caller = caller;
    this.#task = task;
    this.#signal = signal;
  }

  messages() {
    return projectEvents(this.#task, this.#events(), () => this.#current());
  }

  /** The response object. Throws the problem of a task that failed. */
  async wait() {
    for await (const _batch of this.#events()) {
      // Only the end matters here.
    }
    if (this.#signal.reason === ("token void" satisfies CallEnd)) throw invalidToken();
    // Nobody hears this when it was the caller that went away.
    if (this.#signal.aborted)
      throw new ProblemError("server_restarted", "The service stopped before the response was complete.");
    const task = this.#current();
    if (task.outcome?.kind === "error") throw new ProblemError(task.outcome.problem.code, task.outcome.problem.detail);
    return responseObject(task);
  }

  async *#events(): AsyncGenerator<readonly TaskEvent[], void> {
    let ended = false;
    try {
      const follow = this.#service.follow(this.#caller, scope, this.#task.id, -1, this.#signal);
      if (follow.kind === "ended") return;
      for await (const batch of follow.events) {
        ended = batch.at(-1)?.body.type === "ended";
        yield batch;
      }
    } finally {
      if (!ended) this.#leave();
    }
  }

  #leave(): void {
    // When the server stops, its tasks are left as a crash leaves them.
    if (this.#signal.reason === ("server stops" satisfies CallEnd)) return;
    try {
      this.#service.cancel(this.#caller, scope, this.#task.id, "its caller went away");
    } catch (error) {
      // It had ended by itself, or is gone.
      if (!(error instanceof ProblemError)) throw error;
    }
  }

  #current(): Task {
    return this.#service.current(this.#caller, scope, this.#task.id);
  }
}

function draftOf(request: ResponseRequest): TaskDraft {
  return { ...respondDraft(request), listed: false, onRestart: "fail", idempotency: null };
}
