import type { FastifyRequest } from "fastify";
import type { ProblemCode } from "../../shared/problem";

/** A request that was turned away at the door. Nothing of it is told but this; never its token. */
export interface Refusal {
  readonly code: "unauthorized" | "forbidden" | "rate_limited";
  /** Null when no valid token came with it. */
  readonly client: string | null;
  readonly method: string;
  /** The pattern of its route, such as `/things/:id`; null when it has none. */
  readonly route: string | null;
  /** Its User-Agent. */
  readonly says: string | null;
  /** The page or the name that it came by, when that is why it was refused. */
  readonly origin: string | null;
}

/** Undefined when the problem is no refusal at the door. */
export function refusalOf(code: ProblemCode, request: FastifyRequest): Refusal | undefined {
  if (code !== "unauthorized" && code !== "forbidden" && code !== "rate_limited") return undefined;
  return {
    code,
    client: code === "rate_limited" ? request.client : null,
    method: request.method,
    route: request.routeOptions.url ?? null,
    says: request.headers["user-agent"]?.slice(0, 256) ?? null,
    origin: code === "forbidden" ? originOf(request) : null,
  };
}

/** RFC 6454: a scheme, a name and a port, or the name that was called. A caller may send anything for one. */
function originOf({ headers }: FastifyRequest): string | null {
  const given = headers.origin ?? headers.host ?? "";
  return given.length <= 128 && /^(?:[a-z][a-z0-9+.-]*:\/\/)?[\w.[\]-]+(?::\d+)?$/i.test(given) ? given : null;
}
