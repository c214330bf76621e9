import { type CallToolResult, inputRequired, type Result } from "@modelcontextprotocol/server";
import { ProblemError } from "../../../../shared/problem";
import type { Task } from "../../../../shared/task";
import type { Caller } from "../../../engine/caller";
import type { McpCallEnd } from "../era";
import type { FaceParts } from "../face-parts";
import { resultOf, toolOutcome } from "../projection/tool-result";
import { tellProgress } from "../server/tell-progress";
import { inputRequests } from "./detailed-task";
import type { Exchange } from "./exchange";
import { giveAnswers } from "./give-answers";
import { nextTurn, type Turn } from "./next-turn";

/** Only the window shows the tasks of plain calls. */
const scope = { listed: false } as const;

/** Milliseconds that a task waits for its caller to come back with answers, and that what it comes back with is valid. */
export const abandonedAfter = 600_000;

/**
 * The hidden tasks of plain calls. A task is waited for by the request that made it, or left alone between that one
 * and the retry that brings answers. It is cancelled when the last who waits goes away, and when nobody comes back.
 */
export class PlainCalls {
  readonly #parts: FaceParts;
  /** How many wait, by task. */
  readonly #waiting = new Map<string, number>();
  /** Of tasks that are left alone: what ends the time in which their caller may come back. */
  readonly #alone = new Map<string, () => void>();

  constructor(parts: FaceParts) {
    this.#parts = parts;
  }

  /** Gives the task what a retry brings. Throws `task_not_found`, or `invalid_request` for what is no answer. */
  answer({ caller, context }: Exchange, id: string): void {
    giveAnswers(this.#parts.service, caller, scope, id, context.mcpReq.inputResponses ?? {});
  }

  /** The task's result, or what it asks its caller now; `seal` makes the state with which that comes back. */
  async run(exchange: Exchange, id: string, seal: () => Promise<string>): Promise<Result> {
    const task = this.#parts.service.current(exchange.caller, scope, id);
    this.#enter(id);
    const stopTelling = this.#tellProgress(exchange, task);
    let turn: Turn | undefined;
    try {
      turn = await nextTurn(this.#parts.service, exchange, task);
    } finally {
      stopTelling();
      if (this.#leave(id)) this.#left(exchange, id, turn);
    }
    if (turn.kind === "ended") return this.#result(exchange.caller, turn.task);
    return inputRequired({ inputRequests: inputRequests(turn), requestState: await seal() });
  }

  close(): void {
    for (const stop of this.#alone.values()) stop();
    this.#alone.clear();
  }

  #result(caller: Caller, task: Task): CallToolResult {
    const outcome = toolOutcome(task, this.#parts.service.input(caller, scope, task.id));
    if (outcome === undefined) throw new Error(`The task ${task.id} is settled and has no outcome`);
    this.#parts.service.retrieved(caller, task);
    return resultOf(outcome);
  }

  #tellProgress({ caller, declared, context: { mcpReq } }: Exchange, task: Task): () => void {
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken === undefined) return () => undefined;
    return tellProgress(this.#parts, caller, task, declared.answers, (note) => {
      const sent = mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...note } });
      // Nobody reads it any more; the end of the wait says so too.
      sent.catch(() => undefined);
    });
  }

  #enter(id: string): void {
    this.#alone.get(id)?.();
    this.#alone.delete(id);
    this.#waiting.set(id, (this.#waiting.get(id) ?? 0) + 1);
  }

  /** Whether that was the last who waited. */
  #leave(id: string): boolean {
    const left = (this.#waiting.get(id) ?? 1) - 1;
    if (left > 0) this.#waiting.set(id, left);
    else this.#waiting.delete(id);
    return left === 0;
  }

  /** Nobody waits for the task; `turn` is undefined when it was left before it had come to anything. */
  #left({ caller, closed }: Exchange, id: string, turn: Turn | undefined): void {
    if (turn?.kind === "asked") this.#expectBack(caller, id);
    // When the server stops, its tasks are left as a crash leaves them.
    else if (turn === undefined && closed.reason !== ("server stops" satisfies McpCallEnd))
      this.#cancel(caller, id, "its caller went away");
  }

  #expectBack(caller: Caller, id: string): void {
    const drop = () => {
      this.#alone.delete(id);
      this.#cancel(caller, id, "its caller did not come back");
    };
    this.#alone.set(id, this.#parts.clock.after(abandonedAfter, drop));
  }

  #cancel(caller: Caller, id: string, reason: string): void {
    try {
      this.#parts.service.cancel(caller, scope, id, reason);
    } catch (error) {
      // It had ended by itself, or is gone.
      if (!(error instanceof ProblemError)) throw error;
    }
  }
}
