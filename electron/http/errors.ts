import type { FastifyReply, FastifyRequest } from "fastify";
import { type Problem, type ProblemCode, ProblemError, problemOf } from "../../shared/problem";
import { sendProblem } from "./problem-body";
import { refusalOf } from "./refusal";

/** What the framework throws for a request that is at fault. Anything that is not listed is a bug of ours. */
const requestFaults: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  FST_ERR_BAD_URL: ["invalid_request", "The path is not a valid URL path."],
  FST_ERR_MAX_PARAM_LENGTH: ["invalid_request", "The path is too long."],
  FST_ERR_CTP_BODY_TOO_LARGE: ["payload_too_large", "The request body is larger than the limit body_bytes."],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported_media_type", "Send the request body as application/json."],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["invalid_request", "The body is not as long as Content-Length says."],
  FST_ERR_CTP_EMPTY_JSON_BODY: ["invalid_request", "The request body is empty; send JSON."],
  FST_ERR_CTP_INVALID_JSON_BODY: ["invalid_request", "The request body is not valid JSON."],
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: ["unsupported_media_type", "Send the request body as application/json."],
};

/** The one translation of errors on their way out over HTTP. Bugs are logged with their stack and answer `internal`. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = requestProblem(error, request) ?? problemOf(error);
  if (problem.code === "internal")
    request.log.error({ err: error, method: request.method, route: request.routeOptions.url }, "A request failed");
  const refusal = refusalOf(problem.code, request);
  if (refusal !== undefined) request.server.onRefused(refusal);
  return sendProblem(reply, problem);
}

function requestProblem(error: unknown, request: FastifyRequest): Problem | undefined {
  if (error instanceof ProblemError || !(error instanceof Error) || !("code" in error)) return undefined;
  // The connection was cut while the body was still coming; nobody reads this.
  if (error.code === "ECONNRESET" && !request.raw.complete)
    return { code: "invalid_request", detail: "The request ended early." };
  const fault = requestFaults[String(error.code)];
  return fault && { code: fault[0], detail: fault[1] };
}
