import type { Result, ServerContext } from "@modelcontextprotocol/server";
import { ProblemError } from "../../../../shared/problem";
import type { FaceParts } from "../face-parts";
import { resultOf, toolOutcome } from "../projection/tool-result";
import type { Agent } from "./agent";
import type { OpenSession } from "./open-session";
import { aboutTask } from "./related-task";
import { callerLeft, streamOf } from "./stream-of";
import { taskScope } from "./task-methods";

/** `tasks/result`: one client's calls that wait for the end of a task. Any number may wait for the same one. */
export class TaskResults {
  readonly #parts: FaceParts;
  readonly #agent: Agent;
  #waiting = 0;

  constructor(parts: FaceParts, agent: Agent) {
    this.#parts = parts;
    this.#agent = agent;
  }

  /** What the call would have answered; its error is thrown. A caller that leaves ends its own wait and nothing else. */
  async answer(taskId: string, session: OpenSession, context: ServerContext): Promise<Result> {
    const { service } = this.#parts;
    const now = service.current(session.caller, taskScope, taskId);
    const task = toolOutcome(now) === undefined ? await this.#wait(taskId, session, context) : now;
    const outcome = toolOutcome(task, service.input(session.caller, taskScope, taskId));
    if (outcome === undefined) throw new Error(`The task ${taskId} is settled and has no outcome`);
    service.retrieved(session.caller, task);
    const result = resultOf(outcome);
    return { ...result, _meta: { ...result._meta, ...aboutTask(taskId)._meta } };
  }

  async #wait(taskId: string, session: OpenSession, context: ServerContext) {
    const { outlet, signal } = streamOf(session, context);
    this.#enter();
    const detach = this.#agent.streams.attach(taskId, outlet);
    try {
      return await this.#parts.service.settled(session.caller, taskScope, taskId, signal);
    } catch (error) {
      throw signal.aborted ? callerLeft() : error;
    } finally {
      detach();
      this.#waiting -= 1;
    }
  }

  /** Throws ProblemError `rate_limited`. */
  #enter(): void {
    const limit = this.#parts.service.limits().waiting_results ?? Number.POSITIVE_INFINITY;
    if (this.#waiting >= limit)
      throw new ProblemError("rate_limited", `At most ${limit} calls may wait for results at once; poll tasks/get.`, {
        retryAfter: 1,
      });
    this.#waiting += 1;
  }
}
