import { randomBytes } from "node:crypto";
import { clientNameFault, desktopClient, localClient } from "../shared/client-name";
import { ProblemError } from "../shared/problem";
import type { Audit } from "./engine/audit";
import type { Clock } from "./engine/clock";
import type { ClientRecord, TaskStore } from "./engine/store";
import type { ClientDirectory, KnownClient } from "./faces/desktop/client-calls";
import { type Authenticate, authenticateAmong, type Credential, hashToken, tokenLife } from "./http/auth";

/** Of a client that calls all the time, when it was last here need not be written more often. */
const seenEvery = 60_000;

interface Token extends Credential {
  readonly hash: string;
  /** Whether it outlives this run of the host. */
  readonly lasts: boolean;
  /** Makes it void. */
  end(): void;
}

/**
 * Who may call, and by which tokens. Tasks belong to a client's name, so they outlive every token of it.
 * A token is valid from when it is made until it is rotated or revoked or, unless it lasts, until the host stops. Only
 * the hash of one that lasts is stored; of the others nothing is.
 */
export class Clients implements ClientDirectory {
  readonly #store: TaskStore;
  readonly #clock: Clock;
  readonly #audit: Audit;
  readonly #records = new Map<string, ClientRecord>();
  readonly #tokens = new Set<Token>();
  readonly #byHash = authenticateAmong(() => this.#tokens);

  constructor(store: TaskStore, clock: Clock, audit: Audit) {
    this.#store = store;
    this.#clock = clock;
    this.#audit = audit;
  }

  /** Takes up what is stored, and notes there who came before it could be read. Throws ProblemError `storage_failed`. */
  load(): void {
    const stored = this.#store.clients();
    const early = [...this.#records.keys()];
    this.#records.clear();
    for (const client of stored) this.#take(client);
    for (const name of [...early, desktopClient]) this.#ensure(name);
  }

  /** A token for this run of the host, 256 random bits, beside whatever token the client has. */
  issueToken(name: string): string {
    this.#ensure(name);
    const token = newToken();
    this.#tokens.add(tokenOf(name, hashToken(token), false));
    return token;
  }

  /** Whose token has this hash; notes that the client was here. */
  readonly authenticate: Authenticate = (tokenHash) => {
    const known = this.#byHash(tokenHash);
    if (known !== undefined) this.#seen(known.client);
    return known;
  };

  list(): readonly KnownClient[] {
    return [...this.#records.values()].map(({ name, createdAt, lastSeenAt }) => ({
      name,
      token: kindOf(this.#tokensOf(name)),
      createdAt,
      lastSeenAt,
    }));
  }

  create(name: string, by: string): string {
    const fault = clientNameFault(name);
    if (fault !== undefined) throw new ProblemError("invalid_request", `name: ${fault}.`);
    if (this.#records.has(name))
      throw new ProblemError(
        "client_exists",
        `There is a client "${name}" already, with tasks of its own; give it a new token, or take another name.`,
      );
    const token = this.#replace(this.#record(name));
    this.#audit({ action: "token_created", client: by, subject: name });
    return token;
  }

  rotate(name: string, by: string): string {
    const token = this.#replace(this.#changeable(name));
    this.#audit({ action: "token_rotated", client: by, subject: name });
    return token;
  }

  revoke(name: string, by: string): void {
    const record = this.#changeable(name);
    // First of all: a disk that is full must not keep a token valid.
    this.#endTokens(name);
    this.#audit({ action: "token_revoked", client: by, subject: name });
    try {
      this.#put({ ...record, tokenHash: null });
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const detail = `The token of "${name}" is void until Simmer stops, but that could not be stored: make room on the disk and revoke it again.`;
      throw new ProblemError("storage_failed", detail, { cause: error });
    }
  }

  /** Takes in a client of another host, without a token; one of that name stays as it is. */
  readonly add = (client: Omit<ClientRecord, "tokenHash">): void => {
    if (!this.#records.has(client.name)) this.#put({ ...client, tokenHash: null });
  };

  /** Stored first: what is answered has to hold after a restart too. */
  #replace(record: ClientRecord): string {
    const token = newToken();
    const tokenHash = hashToken(token);
    this.#put({ ...record, tokenHash });
    this.#endTokens(record.name);
    this.#tokens.add(tokenOf(record.name, tokenHash, true));
    return token;
  }

  /** None of them is known any more when the first of its streams ends. */
  #endTokens(name: string): void {
    const ended = this.#tokensOf(name);
    for (const token of ended) this.#tokens.delete(token);
    for (const token of ended) token.end();
  }

  #tokensOf(name: string): readonly Token[] {
    return [...this.#tokens].filter(({ client }) => client === name);
  }

  #changeable(name: string): ClientRecord {
    if (name === desktopClient)
      throw new ProblemError("invalid_request", "name: the window has no token; it needs none.");
    if (name === localClient)
      throw new ProblemError(
        "invalid_request",
        `name: the token of "${localClient}" is made anew at each start; restart Simmer to replace it.`,
      );
    const record = this.#records.get(name);
    if (record === undefined) throw new ProblemError("client_not_found", `There is no client "${name}".`);
    return record;
  }

  #seen(name: string): void {
    const now = this.#clock.now();
    const client = this.#record(name);
    if (client.lastSeenAt !== null && now - client.lastSeenAt < seenEvery) return;
    this.#records.set(name, { ...client, lastSeenAt: now });
    unlessStorageFails(() => this.#store.touchClient(name, now));
  }

  #record(name: string): ClientRecord {
    const known = this.#records.get(name);
    return known ?? { name, tokenHash: null, limits: {}, createdAt: this.#clock.now(), lastSeenAt: null };
  }

  /** A client that cannot be noted now is one all the same, and is noted with its first lasting token. */
  #ensure(name: string): void {
    if (this.#records.has(name)) return;
    const record = this.#record(name);
    this.#records.set(name, record);
    unlessStorageFails(() => this.#put(record));
  }

  #take(client: ClientRecord): void {
    this.#records.set(client.name, client);
    const { name, tokenHash } = client;
    const isKnown = [...this.#tokens].some(({ hash }) => hash === tokenHash);
    if (tokenHash !== null && !isKnown) this.#tokens.add(tokenOf(name, tokenHash, true));
  }

  #put(client: ClientRecord): void {
    this.#store.transaction("synced", () => this.#store.putClient(client));
    this.#records.set(client.name, client);
  }
}

function kindOf(tokens: readonly Token[]): KnownClient["token"] {
  if (tokens.some(({ lasts }) => lasts)) return "lasting";
  return tokens.length > 0 ? "run" : "none";
}

function newToken(): string {
  return randomBytes(32).toString("base64url");
}

function tokenOf(client: string, hash: string, lasts: boolean): Token {
  const life = tokenLife();
  return { client, hash, lasts, ended: life.signal, end: () => life.abort("token void") };
}

/** When a client was here is a hint: one that cannot be kept is no reason to turn the client away. */
function unlessStorageFails(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
  }
}
