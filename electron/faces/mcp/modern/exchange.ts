import type { ServerContext } from "@modelcontextprotocol/server";
import type { Caller } from "../../../engine/caller";
import type { RequestCapabilities } from "./request-capabilities";

/** One request of one client, while it is open. */
export interface Exchange {
  readonly caller: Caller;
  readonly declared: RequestCapabilities;
  /** Aborts when there is nobody to answer, with an `McpCallEnd` as its reason. */
  readonly closed: AbortSignal;
  /** What the SDK has for its handler. */
  readonly context: ServerContext;
}
