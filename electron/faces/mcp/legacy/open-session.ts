import type { ClientCapabilities, Notification, RequestId } from "@modelcontextprotocol/server";
import type { QuestionType } from "../../../../shared/question";
import type { Caller } from "../../../engine/caller";

/** A session as its calls, and what speaks to its client, see it. */
export interface OpenSession {
  readonly id: string;
  readonly caller: Caller;
  /** Declared at `initialize`. */
  readonly capabilities: ClientCapabilities;
  /** The kinds of question that its client can answer, by its capabilities. */
  readonly answers: readonly QuestionType[];
  /** Whether the revision that was agreed on has tasks. */
  readonly hasTasks: boolean;
  /** The GET stream, while somebody reads it. */
  readonly standalone: Outlet | undefined;
  /** The stream that answers this request; undefined when nobody reads it any more. */
  outletOf(id: RequestId): Outlet | undefined;
}

/** A stream that a client reads now: on it, it can be told something. */
export interface Outlet {
  readonly session: OpenSession;
  /** Aborts when nobody reads it any more. */
  readonly closed: AbortSignal;
  /** Whether its reader has yet to take what was written. */
  isSlow(): boolean;
  /** Sends what needs no answer. What cannot be sent is lost; a notification may be. */
  tell(notification: Notification): void;
  /**
   * Asks something and waits for the answer, also after the stream is closed: a client may answer later. Rejects with a
   * ProtocolError that is the client's own, or with another error when it cannot come any more. An abort tells the client.
   */
  ask(request: { method: string; params: Readonly<Record<string, unknown>> }, signal: AbortSignal): Promise<unknown>;
}
