import { ProtocolErrorCode } from "@modelcontextprotocol/server";

/** What is refused before it reaches a session, as the transport of the SDK says it. */
export function refusal(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status, headers });
}

/** Also for another client's session: whoever asks learns nothing of it. */
export const unknownSession = () => refusal(404, -32_001, "Session not found");

export const missingSession = () => refusal(400, -32_000, "Bad Request: Mcp-Session-Id header is required");

export const invalidInitialize = () =>
  refusal(400, ProtocolErrorCode.InvalidParams, "Invalid params for initialize: see the protocol's InitializeRequest");

export const sameId = () =>
  refusal(400, ProtocolErrorCode.InvalidRequest, "Invalid Request: a request with this id is still being answered");

export const tooManySessions = (limit: number) =>
  refusal(429, ProtocolErrorCode.InternalError, `At most ${limit} sessions may be in use at once; end one.`, {
    "retry-after": "1",
  });
