import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { type Problem, type ProblemCode, problemOf } from "../../../shared/problem";

/** Whose fault it is that a request gets no answer: the request's own, or ours. */
const requestFaults: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  "invalid_request",
  "unsupported_parameter",
  "not_found",
  "task_not_found",
  "task_not_cancelable",
  "question_not_found",
  "question_answered",
  "event_history_expired",
]);

/** The engine has no room now; the same request may be answered later. */
const busy: ReadonlySet<ProblemCode> = new Set<ProblemCode>(["queue_full", "rate_limited"]);

/**
 * A failure as JSON-RPC tells it. `doing` says what was asked for, such as "retrieve task". An error that speaks
 * JSON-RPC already passes unchanged; a bug tells nothing of itself.
 */
export function protocolError(error: unknown, doing: string): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const problem = problemOf(error);
  if (busy.has(problem.code)) return busyError(problem);
  const code = requestFaults.has(problem.code) ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  const what = problem.code === "task_not_found" ? "Task not found" : problem.detail;
  return new ProtocolError(code, `Failed to ${doing}: ${what}`, { code: problem.code });
}

/** Whether the failure of a call is an answer to it, not an error of the protocol. */
export function isAnswer(problem: Problem): boolean {
  return problem.code !== "internal" && !busy.has(problem.code);
}

export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

export function methodNotFound(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.MethodNotFound, message);
}

function busyError({ code, detail, retryAfter }: Problem): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InternalError, detail, {
    code,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}
