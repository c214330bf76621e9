import { createMcpHandler, type McpHttpHandler, type McpRequestContext } from "@modelcontextprotocol/server";
import type { Era, McpCall } from "../era";
import type { FaceParts } from "../face-parts";
import { isPlainCall } from "./is-plain-call";
import { withTaskNotifications } from "./listen";
import { modernServer } from "./modern-server";
import { PlainCalls } from "./plain-calls";
import { ToolCalls } from "./tool-calls";

/** 2026-07-28: every request stands alone, and says itself what its client can do. */
export function modernEra(parts: FaceParts): Era {
  return new ModernEra(parts);
}

class ModernEra implements Era {
  readonly #parts: FaceParts;
  readonly #plain: PlainCalls;
  readonly #calls: ToolCalls;
  /** The call that a request of the SDK belongs to. */
  readonly #open = new WeakMap<Request, McpCall>();
  readonly #handlers: { readonly answer: McpHttpHandler; readonly stream: McpHttpHandler };

  constructor(parts: FaceParts) {
    this.#parts = parts;
    this.#plain = new PlainCalls(parts);
    this.#calls = new ToolCalls(parts, this.#plain);
    const handler = (responseMode: "auto" | "sse") =>
      // The endpoint keeps streams alive.
      createMcpHandler((context) => this.#serverFor(context), { legacy: "reject", keepAliveMs: 0, responseMode });
    this.#handlers = { answer: handler("auto"), stream: handler("sse") };
  }

  async answer(call: McpCall): Promise<Response> {
    const request = new Request(call.request, { signal: call.closed });
    this.#open.set(request, call);
    // Some clients give up on an answer whose headers take minutes; a stream has them at once.
    const isLong = isPlainCall(this.#parts.registration, call.body);
    const handler = isLong ? this.#handlers.stream : this.#handlers.answer;
    const authInfo = { token: "", clientId: call.caller.client, scopes: [] };
    const response = await handler.fetch(request, { parsedBody: call.body, authInfo });
    return withTaskNotifications(this.#parts, call, response);
  }

  async close(): Promise<void> {
    this.#plain.close();
    await Promise.all([this.#handlers.answer.close(), this.#handlers.stream.close()]);
  }

  #serverFor({ requestInfo }: McpRequestContext) {
    const call = requestInfo && this.#open.get(requestInfo);
    if (call === undefined) throw new Error("A request came by another way than the endpoint");
    return modernServer(this.#parts, this.#calls, call.caller, call.closed);
  }
}
