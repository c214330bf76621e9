import { randomUUID } from "node:crypto";
import {
  type ClientCapabilities,
  isJSONRPCRequest,
  ProtocolErrorCode,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { QuestionType } from "../../../../shared/question";
import type { Caller } from "../../../engine/caller";
import type { McpCall } from "../era";
import type { FaceParts } from "../face-parts";
import { answersOf } from "../projection/capabilities";
import { LegacyServer } from "./legacy-server";
import { type SessionCalls, serveMethods } from "./methods";
import type { OpenSession, Outlet } from "./open-session";
import { sameId } from "./refusals";
import { answersAtOnce, singleAnswer } from "./single-answer";
import { tellStatuses } from "./status-notices";

/** What becomes of a session. */
export interface SessionEvents {
  began(session: Session): void;
  /** Its client reads a GET stream. */
  listens(): void;
  ended(session: Session): void;
}

const anyResult = z.looseObject({});
/** Milliseconds. A person takes the time that a person takes; the SDK's own limit is a minute. */
const longestTimer = 2 ** 31 - 1;

/**
 * One session of a client: a server of the SDK, its transport, and the calls that are open on it. It begins with the
 * answer to `initialize` and ends by DELETE or by `close`; what is open then ends with it, but no task does.
 */
export class Session implements OpenSession {
  readonly id = randomUUID();
  readonly #parts: FaceParts;
  readonly #on: SessionEvents;
  readonly #client: Caller;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  readonly #server: LegacyServer;
  /** The calls that wait for an answer, by their JSON-RPC ids. The SDK does not say when a stream has lost its reader. */
  readonly #open = new Map<RequestId, McpCall>();
  #calls = 0;
  #lastUsed: number;
  #standalone: Outlet | undefined;

  constructor(parts: FaceParts, calls: SessionCalls, caller: Caller, on: SessionEvents) {
    this.#parts = parts;
    this.#on = on;
    this.#client = caller;
    this.#lastUsed = parts.clock.now();
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => this.id,
      onsessioninitialized: () => on.began(this),
      // The endpoint keeps all streams alive, by one timer.
      keepAliveMs: 0,
    });
    this.#server = new LegacyServer(parts, (id) => this.#drop(id));
    this.#server.onclose = () => on.ended(this);
    serveMethods(this.#server, parts, this, calls);
  }

  connect(): Promise<void> {
    return this.#server.connect(this.#transport);
  }

  async answer(call: McpCall): Promise<Response> {
    const ids = [call.body].flat().flatMap((message) => (isJSONRPCRequest(message) ? [message.id] : []));
    // Two answers to one id could not be told apart, and the transport would send both to the later call.
    if (ids.some((id) => this.#open.has(id)) || new Set(ids).size < ids.length) return sameId();
    this.#enter(call, ids);
    const response = await this.#transport.handleRequest(call.request, { parsedBody: call.body });
    if (call.request.method === "GET" && response.ok) this.#listen(call);
    return answersAtOnce(call.body) ? await singleAnswer(response) : response;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  get caller(): Caller {
    const { name, version } = this.#server.getClientVersion() ?? {};
    return name === undefined ? this.#client : { ...this.#client, says: `${name} ${version}`.slice(0, 256) };
  }

  get capabilities(): ClientCapabilities {
    return this.#server.getClientCapabilities() ?? {};
  }

  get answers(): readonly QuestionType[] {
    return answersOf(this.capabilities);
  }

  get hasTasks(): boolean {
    return this.#server.hasTasks;
  }

  /** Whether a call is open on it. */
  get inUse(): boolean {
    return this.#calls > 0;
  }

  get lastUsed(): number {
    return this.#lastUsed;
  }

  get standalone(): Outlet | undefined {
    return this.#standalone;
  }

  outletOf(id: RequestId): Outlet | undefined {
    const call = this.#open.get(id);
    return call && this.#outlet(call, { relatedRequestId: id });
  }

  #outlet({ closed, isSlow }: McpCall, related: { readonly relatedRequestId?: RequestId }): Outlet {
    return {
      session: this,
      closed,
      isSlow,
      tell: (notification) => {
        // Its reader may leave between the decision and the sending; then nobody misses it.
        this.#server.notification(notification, related).catch(() => undefined);
      },
      ask: (request, signal) =>
        this.#server.request({ ...request }, anyResult, { ...related, signal, timeout: longestTimer }),
    };
  }

  #enter(call: McpCall, ids: readonly RequestId[]): void {
    this.#calls += 1;
    for (const id of ids) this.#open.set(id, call);
    whenClosed(call, () => {
      this.#calls -= 1;
      this.#lastUsed = this.#parts.clock.now();
      for (const id of ids) this.#open.delete(id);
    });
  }

  #listen(call: McpCall): void {
    const outlet = this.#outlet(call, {});
    this.#standalone = outlet;
    whenClosed(call, () => {
      if (this.#standalone === outlet) this.#standalone = undefined;
    });
    if (this.hasTasks) tellStatuses(this.#parts, outlet);
    this.#on.listens();
  }

  /** A request that its client cancelled gets no answer, so its stream has to be ended for it. */
  #drop(id: RequestId): void {
    this.#transport.closeSSEStream(id);
    // Nobody hears this; by it the transport forgets the request, unless it has already.
    const error = { code: ProtocolErrorCode.InternalError, message: "cancelled" };
    this.#transport.send({ jsonrpc: "2.0", id, error }).catch(() => undefined);
  }
}

/** It may be over before it is looked at. */
function whenClosed({ closed }: McpCall, work: () => void): void {
  if (closed.aborted) work();
  else closed.addEventListener("abort", work, { once: true });
}
