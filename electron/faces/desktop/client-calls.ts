import type { ClientCalls, Handlers } from "./desktop-face";
import { person } from "./questions";

/** A client as the person sees it. */
export interface KnownClient {
  readonly name: string;
  /** What it can call with now: nothing, a token of this run of the host, or one that lasts. */
  readonly token: "none" | "run" | "lasting";
  /** Milliseconds. */
  readonly createdAt: number;
  readonly lastSeenAt: number | null;
}

/**
 * The clients of this host, and their tokens. A token is told by the call that makes it and never again. `by` is the
 * client that does it. What is refused throws ProblemError: `invalid_request` for a name that cannot be, or that Simmer
 * uses itself; `client_exists`, `client_not_found`; `storage_failed`.
 */
export interface ClientDirectory {
  list(): readonly KnownClient[];
  /** A new client with its token. */
  create(name: string, by: string): string;
  /** A new token. The old ones are void, and what was opened with them ends, before this returns. */
  rotate(name: string, by: string): string;
  /** The client keeps its tasks and has no token any more; what was opened with it ends before this returns. */
  revoke(name: string, by: string): void;
}

/** What the person does with the clients of this host. */
export function clientCalls(clients: ClientDirectory): Handlers<ClientCalls> {
  return {
    clients: () => [...clients.list()],
    createClient: ({ name }) => ({ token: clients.create(name, person.client) }),
    rotateClient: ({ name }) => ({ token: clients.rotate(name, person.client) }),
    revokeClient: ({ name }) => {
      clients.revoke(name, person.client);
      return null;
    },
  };
}
