import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { ProblemError } from "../../../../shared/problem";
import type { Task } from "../../../../shared/task";
import type { Caller } from "../../../engine/caller";
import type { TaskDraft } from "../../../engine/task-service";
import type { McpCallEnd } from "../era";
import type { FaceParts } from "../face-parts";
import { resultOf, toolOutcome } from "../projection/tool-result";
import type { Agent } from "./agent";
import type { OpenSession } from "./open-session";
import { callerLeft, streamOf } from "./stream-of";

/** A plain call's task is the window's to see only. */
const scope = { listed: false } as const;

/** Calls that wait for their result: each runs as a task that lives as long as its caller waits. */
export class PlainCalls {
  readonly #parts: FaceParts;
  readonly #agent: Agent;

  constructor(parts: FaceParts, agent: Agent) {
    this.#parts = parts;
    this.#agent = agent;
  }

  async run(draft: TaskDraft, session: OpenSession, context: ServerContext): Promise<CallToolResult> {
    const { service } = this.#parts;
    const { outlet, signal } = streamOf(session, context);
    const { task } = await service.create(session.caller, draft);
    const detach = this.#agent.streams.attach(task.id, outlet);
    try {
      return this.#result(session.caller, await service.settled(session.caller, scope, task.id, signal));
    } catch (error) {
      if (!signal.aborted) throw error;
      // When the server stops, its tasks are left as a crash leaves them.
      if (outlet.closed.reason !== ("server stops" satisfies McpCallEnd)) this.#cancel(session.caller, task.id);
      throw callerLeft();
    } finally {
      detach();
    }
  }

  #result(caller: Caller, task: Task): CallToolResult {
    const outcome = toolOutcome(task, this.#parts.service.input(caller, scope, task.id));
    if (outcome === undefined) throw new Error(`The task ${task.id} is settled and has no outcome`);
    this.#parts.service.retrieved(caller, task);
    return resultOf(outcome);
  }

  #cancel(caller: Caller, id: string): void {
    try {
      this.#parts.service.cancel(caller, scope, id, "its caller went away");
    } catch (error) {
      // It ended by itself meanwhile, or is gone.
      if (!(error instanceof ProblemError)) throw error;
    }
  }
}
