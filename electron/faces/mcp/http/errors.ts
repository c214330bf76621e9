import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { HttpApp } from "../../../http/app";
import { answerError } from "../../../http/errors";

const unreadable = new Set(["FST_ERR_CTP_INVALID_JSON_BODY", "FST_ERR_CTP_EMPTY_JSON_BODY"]);

/** A body that is no JSON is JSON-RPC's own error; whatever else is wrong with a call is told as everywhere. */
export function answerMcpErrors(app: HttpApp): void {
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof Error && "code" in error && unreadable.has(String(error.code))))
      return answerError(error, request, reply);
    const answer = { code: ProtocolErrorCode.ParseError, message: "Parse error: the body is not valid JSON." };
    return reply.code(400).send({ jsonrpc: "2.0", error: answer, id: null });
  });
}
