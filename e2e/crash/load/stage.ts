import type { HostProcess } from "../../host";
import { LmspClient } from "../../lmsp-client";
import { ModernClient } from "../../mcp/modern-client";
import { RawClient } from "../../mcp/raw-client";
import type { ClientName } from "../plan/planned-task";
import type { Recorder } from "../record/recorder";

/** One life of a host as its clients have it. */
export class Stage {
  readonly host: HostProcess;
  readonly recorder: Recorder;
  /** Aborts when the end of the host is decided: from then on what breaks is no fault, and nobody begins anything. */
  readonly ending: AbortSignal;
  /** No more faults come: what was left open is answered or cancelled. */
  readonly isLast: boolean;
  readonly #besides: Promise<void>[] = [];
  readonly #sessions = new Map<ClientName, Promise<RawClient>>();

  constructor(parts: { host: HostProcess; recorder: Recorder; ending: AbortSignal; isLast: boolean }) {
    this.host = parts.host;
    this.recorder = parts.recorder;
    this.ending = parts.ending;
    this.isLast = parts.isLast;
  }

  lmsp(client: ClientName): LmspClient {
    return new LmspClient(this.host.endpoint, this.#token(client));
  }

  modern(client: ClientName): ModernClient {
    return new ModernClient({ url: this.host.endpoint.mcp, token: this.#token(client) });
  }

  /** One session for each client: it answers forms itself, when and as its tasks say. */
  legacy(client: ClientName): Promise<RawClient> {
    const capabilities = { elicitation: {} };
    const session =
      this.#sessions.get(client) ??
      RawClient.connect({ url: this.host.endpoint.mcp, token: this.#token(client), capabilities });
    this.#sessions.set(client, session);
    return session;
  }

  /** What breaks while the host lives is put down; undefined then, and when the host was going. */
  async tried<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.ending.aborted) return undefined;
    try {
      return await work();
    } catch (error) {
      if (!this.ending.aborted) this.recorder.broken.push(`${what}: ${textOf(error)}`);
      return undefined;
    }
  }

  /** Work whose moment may never come: it is given up with the host, and nothing waits for it before. */
  besides(work: Promise<void>): void {
    this.#besides.push(work);
  }

  /** After the end of the host. */
  async close(): Promise<void> {
    await Promise.all(this.#besides);
    const sessions = await Promise.allSettled(this.#sessions.values());
    for (const session of sessions) if (session.status === "fulfilled") await session.value[Symbol.asyncDispose]();
  }

  #token(client: ClientName): string {
    const token = this.host.endpoint.clients[client];
    if (token === undefined) throw new Error(`The client ${client} has no token`);
    return token;
  }
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
