import type { Caller } from "../../engine/caller";
import type { CallEnd } from "../../http/open-calls";

/** Why a call is over. */
export type McpCallEnd = CallEnd | "answered";

/** One HTTP call to the endpoint, past the guard. */
export interface McpCall {
  /** Without its body, which is read already. */
  readonly request: Request;
  /** The JSON of the body; undefined for a call that has none. */
  readonly body: unknown;
  readonly caller: Caller;
  /** Aborts when the call is over, with an `McpCallEnd` as its reason. */
  readonly closed: AbortSignal;
  /** Aborts when the token that came with it is void; what was begun with that token ends. */
  readonly tokenEnded: AbortSignal;
  /** Whether its reader has yet to take what was written: anything more would only fill the memory. */
  isSlow(): boolean;
}

/** A generation of the protocol. The endpoint sends what it answers, and keeps an event stream in it alive. */
export interface Era {
  answer(call: McpCall): Promise<Response>;
  /** Ends what is still open; after that nothing is asked. */
  close(): Promise<void>;
}
