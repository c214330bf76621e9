import { ProtocolError } from "@modelcontextprotocol/server";
import { ProblemError } from "../../../../shared/problem";
import type { Question } from "../../../../shared/question";
import type { Task } from "../../../../shared/task";
import type { AuditAction, AuditEntry } from "../../../engine/audit";
import type { Caller } from "../../../engine/caller";
import type { FaceParts } from "../face-parts";
import { answerOf } from "../projection/questions";
import { askClient } from "./ask-client";
import type { ClientQuestion } from "./client-question";
import { nextOutlet } from "./next-outlet";
import type { Outlet } from "./open-session";
import { questionRequest } from "./question-request";
import type { Streams } from "./streams";
import { memoOf } from "./task-memo";

/** How often one session may answer what does not fit the question. */
const patience = 3;

/** What came of asking once. `lost`: the stream was, and with it perhaps the question. */
type Outcome = { readonly kind: "over" | "lost" | "refused" } | { readonly kind: "invalid"; readonly why: string };

/**
 * One question on its way to the client: it waits for a stream, or is asked on exactly one, until it is answered. When
 * that stream is lost it is asked again on another, by a new request; an answer to the old one still counts.
 * A session that refuses to answer, or only answers what does not fit, is not asked again.
 */
export class Asking {
  readonly #parts: FaceParts;
  readonly #caller: Caller;
  readonly #streams: Streams;
  readonly #task: Task;
  readonly #question: Question;
  /** Aborts when the question needs no answer any more. */
  readonly #over: AbortSignal;
  readonly #refusing = new Set<string>();
  readonly #spent = new WeakSet<Outlet>();
  #superseded: AbortController | undefined;

  constructor(parts: FaceParts, caller: Caller, streams: Streams, task: Task, question: Question, over: AbortSignal) {
    this.#parts = parts;
    this.#caller = caller;
    this.#streams = streams;
    this.#task = task;
    this.#question = question;
    this.#over = over;
  }

  /** Resolves when nothing more is asked; rejects with the reason of the end while it waits for a stream. */
  async run(): Promise<void> {
    for (let invalid: string[] = []; !this.#over.aborted; ) {
      const outlet = await nextOutlet(this.#streams, this.#task, this.#parts.clock, this.#over, (one) =>
        this.#accepts(one),
      );
      const outcome = await this.#ask(outlet, invalid.at(-1));
      if (outcome.kind === "over") return;
      invalid = outcome.kind === "invalid" ? [...invalid, outcome.why] : [];
      if (outcome.kind === "lost") this.#spent.add(outlet);
      if (outcome.kind === "refused" || invalid.length === patience) {
        invalid = [];
        this.#refuse(outlet);
      }
    }
  }

  #accepts(outlet: Outlet): boolean {
    const { session } = outlet;
    return (
      session.answers.includes(this.#question.body.type) && !this.#refusing.has(session.id) && !this.#spent.has(outlet)
    );
  }

  #ask(outlet: Outlet, fault: string | undefined): Promise<Outcome> {
    const replaced = new AbortController();
    const signal = AbortSignal.any([this.#over, replaced.signal]);
    const request = questionRequest(this.#task, this.#question, fault);
    return new Promise((resolve, reject) => {
      const lost = () => {
        // It may still be answered; of those that were lost, the last one is kept for that.
        this.#superseded?.abort("asked again");
        this.#superseded = replaced;
        resolve({ kind: "lost" });
      };
      this.#note("sent");
      const note: ClientQuestion["note"] = (action, clientTask) => this.#note(action, knownClientTask(clientTask));
      const ask: ClientQuestion = { request, outlet, about: this.#task.id, signal, lost, note };
      this.#answered(ask).then(resolve, (error: unknown) => {
        reject(error);
        this.#parts.onBug(error);
      });
    });
  }

  async #answered(ask: ClientQuestion): Promise<Outcome> {
    let result: unknown;
    try {
      result = await askClient(ask, this.#streams, this.#parts.clock);
    } catch (error) {
      if (this.#over.aborted) return { kind: "over" };
      if (error instanceof ProtocolError) this.#note("unanswered");
      return { kind: error instanceof ProtocolError ? "refused" : "lost" };
    }
    return this.#take(result);
  }

  /** The first valid answer counts, whoever gives it. */
  #take(result: unknown): Outcome {
    const { id, body } = this.#question;
    const scope = { listed: this.#task.listed };
    try {
      this.#parts.service.answer(this.#caller, scope, this.#task.id, id, answerOf(body.type, result));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (error.problem.code === "invalid_request") {
        this.#note("unanswered");
        return { kind: "invalid", why: error.problem.detail };
      }
      // Otherwise somebody was faster, or the task is gone.
    }
    return { kind: "over" };
  }

  /**
   * When nobody is left to ask, a question that waits for nobody else is dismissed: its task must not wait for ever. A
   * task of the other generation has a caller that may answer without being asked.
   */
  #refuse({ session }: Outlet): void {
    this.#refusing.add(session.id);
    const { to } = this.#question;
    if (to.includes("person") || memoOf(this.#task) === null || this.#hasAnother()) return;
    const scope = { listed: this.#task.listed };
    this.#parts.service.answer(this.#caller, scope, this.#task.id, this.#question.id, { action: "cancel" });
  }

  #note(action: AuditAction, more: Partial<AuditEntry> = {}): void {
    const detail = `${this.#question.id} (${this.#question.body.type})`;
    this.#parts.service.note(this.#caller, { action, taskId: this.#task.id, detail, ...more });
  }

  /** A plain call has its own stream and no other. */
  #hasAnother(): boolean {
    const { type } = this.#question.body;
    const others = this.#streams.sessions.filter(
      ({ id, answers }) => answers.includes(type) && !this.#refusing.has(id),
    );
    return this.#task.listed && others.length > 0;
  }
}

/** A client names its tasks as it likes; what does not look like a name is not told. */
function knownClientTask(id: string): Pick<AuditEntry, "clientTask"> {
  return /^[\w.:-]{1,64}$/.test(id) ? { clientTask: id } : {};
}
