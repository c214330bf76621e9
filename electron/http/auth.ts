import { createHash, timingSafeEqual } from "node:crypto";
import { setMaxListeners } from "node:events";

/** A token that was valid when its request came. */
export interface Credential {
  readonly client: string;
  /** Aborts when the token is void; whatever was opened with it ends then. */
  readonly ended: AbortSignal;
}

/** Whose token has this SHA-256 (lower-case hex); undefined when nobody's. */
export type Authenticate = (tokenHash: string) => Credential | undefined;

/** Ends a token by its abort. Any number of calls and sessions may wait for that. */
export function tokenLife(): AbortController {
  const life = new AbortController();
  setMaxListeners(0, life.signal);
  return life;
}

export function hashToken(token: string): string {
  return createHash("sha256").update(token, "utf8").digest("hex");
}

/** The token of an `Authorization: Bearer` header (RFC 6750); the only place a token is read from. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(header ?? "")?.[1];
}

/**
 * Compares with every token's hash in constant time and never stops early, so that the time an answer takes says
 * nothing about tokens.
 */
export function authenticateAmong(tokens: () => Iterable<Credential & { readonly hash: string }>): Authenticate {
  return (tokenHash) => {
    const wanted = Buffer.from(tokenHash, "hex");
    let found: Credential | undefined;
    for (const token of tokens()) {
      const hash = Buffer.from(token.hash, "hex");
      if (hash.length === wanted.length && timingSafeEqual(hash, wanted)) found = token;
    }
    return found;
  };
}
