import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "./clock";
import type { ClientRecord, TaskStore } from "./store";

/** The person at the window. It has no token: nothing can call over the network in its name. */
export const desktopClient = "desktop";
/** Whoever may read `endpoint.json`. */
export const localClient = "local";

/** Who may call. Tasks belong to a client's name, so a new token keeps its tasks. */
export class Clients {
  readonly #store: TaskStore;
  readonly #clock: Clock;
  readonly #valid: { readonly name: string; readonly hash: Buffer }[] = [];

  /** Tokens last for one run of the host: those of earlier runs are void from here on. */
  constructor(store: TaskStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    store.transaction("written", () => {
      for (const client of store.clients()) store.putClient({ ...client, tokenHash: null });
      this.#put(desktopClient, null);
    });
  }

  /** A new token for this client, 256 random bits; only its hash is stored. */
  issueToken(name: string): string {
    const token = randomBytes(32).toString("base64url");
    const hash = tokenHash(token);
    this.#store.transaction("written", () => this.#put(name, hash));
    this.#valid.push({ name, hash: Buffer.from(hash, "hex") });
    return token;
  }

  /** The client of a token, by the token's hash (lower-case hex). Looks at every client, whichever matches. */
  authenticate(hash: string): { readonly client: string } | undefined {
    const given = Buffer.from(hash, "hex");
    const matches = this.#valid.filter((one) => one.hash.length === given.length && timingSafeEqual(one.hash, given));
    const client = matches[0]?.name;
    return client === undefined ? undefined : { client };
  }

  #put(name: string, tokenHash: string | null): void {
    const known: ClientRecord | undefined = this.#store.client(name);
    const createdAt = known?.createdAt ?? this.#clock.now();
    this.#store.putClient({
      name,
      tokenHash,
      limits: known?.limits ?? {},
      createdAt,
      lastSeenAt: known?.lastSeenAt ?? null,
    });
  }
}

/** SHA-256 in lower-case hex. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
