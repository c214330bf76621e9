import { ProtocolError, ProtocolErrorCode, type ServerContext } from "@modelcontextprotocol/server";
import type { OpenSession, Outlet } from "./open-session";

/** The stream that answers a request. */
export interface OpenStream {
  readonly outlet: Outlet;
  /** Aborts when there is nobody to answer: the request was cancelled, its caller left, or the host stops. */
  readonly signal: AbortSignal;
}

export function streamOf(session: OpenSession, { mcpReq }: ServerContext): OpenStream {
  const outlet = session.outletOf(mcpReq.id);
  if (outlet === undefined) throw callerLeft();
  return { outlet, signal: AbortSignal.any([outlet.closed, mcpReq.signal]) };
}

/** For the log and the SDK: nobody else hears it. */
export function callerLeft(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InternalError, "The caller has left");
}
