import { isInitializeRequest } from "@modelcontextprotocol/server";
import type { Caller } from "../../../engine/caller";
import type { Era, McpCall } from "../era";
import type { FaceParts } from "../face-parts";
import { Agent } from "./agent";
import type { SessionCalls } from "./methods";
import { PlainCalls } from "./plain-calls";
import { invalidInitialize, missingSession, tooManySessions, unknownSession } from "./refusals";
import { Session } from "./session";
import { TaskResults } from "./task-results";
import { ToolCalls } from "./tool-calls";

/** Of one client. Hosts that never end theirs are common, so an unused one makes room for a new one. */
const limit = 64;
/** Milliseconds. Tasks belong to the client, so an expired session costs it a new `initialize` and nothing more. */
const idle = 60 * 60_000;

/**
 * The open sessions. One is open from its `initialize` until DELETE, until it was idle for an hour, until its client
 * needs room for another, until the token with which it began is void, or until the host stops.
 */
export class Sessions implements Era {
  readonly #parts: FaceParts;
  /** By client. One for each client that ever came: there are few. */
  readonly #clients = new Map<string, SessionCalls & { readonly agent: Agent }>();
  readonly #byId = new Map<string, Session>();
  #stopSweep: (() => void) | undefined;

  constructor(parts: FaceParts) {
    this.#parts = parts;
  }

  async answer(call: McpCall): Promise<Response> {
    const id = call.request.headers.get("mcp-session-id");
    if (id !== null) {
      const session = this.#byId.get(id);
      return session?.caller.client === call.caller.client ? await session.answer(call) : unknownSession();
    }
    if (isInitializeRequest(call.body)) return await this.#begin(call);
    return asksToInitialize(call.body) ? invalidInitialize() : missingSession();
  }

  async close(): Promise<void> {
    this.#stopSweep?.();
    await Promise.all([...this.#byId.values()].map((session) => session.close()));
  }

  async #begin(call: McpCall): Promise<Response> {
    if (!(await this.#makeRoom(call.caller.client))) return tooManySessions(limit);
    const { agent, ...calls } = this.#clientOf(call.caller);
    const expel = () => void session.close();
    const session = new Session(this.#parts, calls, call.caller, {
      began: (begun) => {
        this.#byId.set(begun.id, begun);
        agent.join(begun);
      },
      listens: () => agent.streams.changed(),
      ended: (over) => {
        this.#byId.delete(over.id);
        agent.leave(over);
        call.tokenEnded.removeEventListener("abort", expel);
      },
    });
    call.tokenEnded.addEventListener("abort", expel);
    await session.connect();
    this.#sweepLater();
    const answer = await session.answer(call);
    if (call.tokenEnded.aborted) expel();
    return answer;
  }

  #clientOf(caller: Caller) {
    const known = this.#clients.get(caller.client);
    if (known !== undefined) return known;
    const agent = new Agent(this.#parts, caller);
    const tools = new ToolCalls(this.#parts, new PlainCalls(this.#parts, agent));
    const client = { agent, tools, results: new TaskResults(this.#parts, agent) };
    this.#clients.set(caller.client, client);
    return client;
  }

  /** False when all of the client's sessions are in use. */
  async #makeRoom(client: string): Promise<boolean> {
    const own = [...this.#byId.values()].filter(({ caller }) => caller.client === client);
    if (own.length < limit) return true;
    const [unused] = own.filter(({ inUse }) => !inUse).sort((a, b) => a.lastUsed - b.lastUsed);
    await unused?.close();
    return unused !== undefined;
  }

  #sweepLater(): void {
    this.#stopSweep ??= this.#parts.clock.after(idle / 4, () => {
      this.#stopSweep = undefined;
      const before = this.#parts.clock.now() - idle;
      for (const session of this.#byId.values()) if (!session.inUse && session.lastUsed <= before) void session.close();
      if (this.#byId.size > 0) this.#sweepLater();
    });
  }
}

function asksToInitialize(body: unknown): boolean {
  return typeof body === "object" && body !== null && "method" in body && body.method === "initialize";
}
