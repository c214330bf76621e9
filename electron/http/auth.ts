import { createHash, timingSafeEqual } from "node:crypto";

/** Whose token has this SHA-256 (lower-case hex); undefined when nobody's. */
export type Authenticate = (tokenHash: string) => { readonly client: string } | undefined;

export function hashToken(token: string): string {
  return createHash("sha256").update(token, "utf8").digest("hex");
}

/** The token of an `Authorization: Bearer` header (RFC 6750); the only place a token is read from. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(header ?? "")?.[1];
}

/**
 * Compares with every client's hash in constant time and never stops early, so that the time an answer takes says
 * nothing about tokens.
 */
export function authenticateAmong(
  clients: () => Iterable<{ readonly name: string; readonly tokenHash: string | null }>,
): Authenticate {
  return (tokenHash) => {
    const wanted = Buffer.from(tokenHash, "hex");
    let found: { client: string } | undefined;
    for (const { name, tokenHash: known } of clients()) {
      const hash = Buffer.from(known ?? "", "hex");
      if (hash.length === wanted.length && timingSafeEqual(hash, wanted)) found = { client: name };
    }
    return found;
  };
}
