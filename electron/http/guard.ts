import type { FastifyRequest } from "fastify";
import { ProblemError } from "../../shared/problem";
import { type Authenticate, bearerToken, type Credential, hashToken } from "./auth";
import { isRepeated } from "./repeated-header";

export interface GuardOptions {
  readonly authenticate: Authenticate;
  /** Foreign web origins that may call. */
  readonly origins: readonly string[];
  /** Our port when the connection does not tell it (a call without a socket). */
  readonly port: number;
}

/**
 * Stands in front of every route, also of those that do not exist. In this order: Host (a web page that rebinds its
 * name to 127.0.0.1 still sends that name), Origin (a browser sends it for foreign pages), then the token.
 */
export function guard({ authenticate, origins, port }: GuardOptions): (request: FastifyRequest) => void {
  return (request) => {
    const host = ownHost(request, request.socket.localPort ?? port);
    const { origin, authorization } = request.headers;
    if (origin !== undefined && origin !== `http://${host}` && !origins.includes(origin))
      throw new ProblemError("forbidden", "Web pages of other origins may not call this service.");
    const token = bearerToken(authorization);
    const known = token === undefined ? undefined : authenticate(hashToken(token));
    if (known === undefined) throw invalidToken();
    request.credential = known;
  };
}

/** A token may become void while the rest of its request is still on the way. */
export function refuseVoid({ ended }: Credential): void {
  if (ended.aborted) throw invalidToken();
}

export function invalidToken(): ProblemError {
  return new ProblemError("unauthorized", 'Send the header "Authorization: Bearer <token>" with a valid token.');
}

function ownHost(request: FastifyRequest, port: number): string {
  const host = request.headers.host?.toLowerCase();
  const target = absoluteTarget(request.raw.url ?? "");
  // RFC 9112 3.2: a second Host must not stand unheard behind a first one that is ours.
  if (
    isRepeated(request.raw, "host") ||
    host === undefined ||
    !isOwn(host, port) ||
    (target !== undefined && !isOwn(target, port))
  )
    throw new ProblemError("forbidden", "This service answers only as 127.0.0.1, localhost or [::1], with its port.");
  return host;
}

function isOwn(host: string, port: number): boolean {
  return ["127.0.0.1", "localhost", "[::1]"].some(
    (name) => host === `${name}:${port}` || (port === 80 && host === name),
  );
}

/** RFC 9112 3.2.2: a request line with a whole URL names another host than the Host header may. */
function absoluteTarget(url: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1]?.toLowerCase();
}
