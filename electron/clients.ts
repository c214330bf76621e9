import { randomBytes } from "node:crypto";
import { ProblemError } from "../shared/problem";
import type { Clock } from "./engine/clock";
import type { ClientRecord, TaskStore } from "./engine/store";
import { type Authenticate, authenticateAmong, hashToken } from "./http/auth";

/** The person at the window. It has no token: nothing can call over the network in its name. */
export const desktopClient = "desktop";
/** Whoever may read `endpoint.json`. */
export const localClient = "local";

/** Of a client that calls all the time, when it was last here need not be written more often. */
const seenEvery = 60_000;

/** Who may call. Tasks belong to a client's name, so a new token keeps its tasks. */
export class Clients {
  readonly #store: TaskStore;
  readonly #clock: Clock;
  readonly #records = new Map<string, ClientRecord>();
  readonly #byToken = authenticateAmong(() => this.#records.values());

  /** Tokens last for one run of the host: those of earlier runs are void from here on. */
  constructor(store: TaskStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    for (const client of store.clients()) this.#put({ ...client, tokenHash: null });
    this.#put(this.#record(desktopClient));
  }

  /** A new token for this client, 256 random bits; only its hash is stored. */
  issueToken(name: string): string {
    const token = randomBytes(32).toString("base64url");
    this.#put({ ...this.#record(name), tokenHash: hashToken(token) });
    return token;
  }

  /** Whose token has this hash; notes that the client was here. */
  readonly authenticate: Authenticate = (tokenHash) => {
    const known = this.#byToken(tokenHash);
    if (known !== undefined) this.#seen(known.client);
    return known;
  };

  #seen(name: string): void {
    const now = this.#clock.now();
    const client = this.#record(name);
    if (client.lastSeenAt !== null && now - client.lastSeenAt < seenEvery) return;
    this.#records.set(name, { ...client, lastSeenAt: now });
    try {
      this.#store.touchClient(name, now);
    } catch (error) {
      // A hint that cannot be kept is no reason to turn the client away.
      if (!(error instanceof ProblemError)) throw error;
    }
  }

  #record(name: string): ClientRecord {
    const known = this.#records.get(name);
    return known ?? { name, tokenHash: null, limits: {}, createdAt: this.#clock.now(), lastSeenAt: null };
  }

  #put(client: ClientRecord): void {
    this.#store.transaction("written", () => this.#store.putClient(client));
    this.#records.set(client.name, client);
  }
}
