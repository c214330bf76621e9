import { randomBytes } from "node:crypto";
import type { Clock } from "./engine/clock";
import type { ClientRecord, TaskStore } from "./engine/store";
import { hashToken } from "./http/auth";

/** The person at the window. It has no token: nothing can call over the network in its name. */
export const desktopClient = "desktop";
/** Whoever may read `endpoint.json`. */
export const localClient = "local";

/** Who may call. Tasks belong to a client's name, so a new token keeps its tasks. */
export class Clients {
  readonly #store: TaskStore;
  readonly #clock: Clock;
  readonly #records = new Map<string, ClientRecord>();

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

  /** For the guard, which looks at every one of them. */
  all(): readonly ClientRecord[] {
    return [...this.#records.values()];
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
