import type { FastifyReply } from "fastify";
import { type Problem, problems } from "../../shared/problem";

/** RFC 9457. The same object is a failed task's `error`. */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
}

export const problemMediaType = "application/problem+json";

export function problemBody({ code, detail }: Problem): ProblemBody {
  return { type: `urn:lmsp:problem:${code}`, title: problems[code].title, status: problems[code].status, detail, code };
}

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const body = problemBody(problem);
  if (problem.code === "unauthorized") reply.header("www-authenticate", "Bearer");
  if (problem.retryAfter !== undefined) reply.header("retry-after", String(Math.max(1, Math.ceil(problem.retryAfter))));
  // As bytes: no serializer of the route reshapes it, and the media type stays without the charset that it has no use for.
  return reply
    .code(body.status)
    .header("content-type", problemMediaType)
    .send(Buffer.from(JSON.stringify(body)));
}
