import { isLegacyRequest } from "@modelcontextprotocol/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../engine/clock";
import type { OpenCall, OpenCalls } from "../../http/open-calls";
import type { Era, McpCallEnd } from "./era";
import { Heartbeat } from "./http/heartbeat";
import { sendResponse } from "./http/send-response";
import { webRequest } from "./http/web-request";

/** Takes each call to the generation that it speaks, and sends what that answers. */
export class Endpoint {
  readonly #calls: OpenCalls;
  readonly #heartbeat: Heartbeat;
  readonly #eras: { readonly legacy: Era; readonly modern: Era };

  constructor(calls: OpenCalls, clock: Clock, eras: { readonly legacy: Era; readonly modern: Era }) {
    this.#calls = calls;
    this.#heartbeat = new Heartbeat(clock);
    this.#eras = eras;
  }

  async answer(http: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const call = this.#open(http, reply);
    const over = new AbortController();
    const end = (reason: McpCallEnd) => over.abort(reason);
    call.signal.addEventListener("abort", () => end(call.signal.reason));
    try {
      const request = webRequest(http);
      const body: unknown = http.body ?? undefined;
      const era = (await isLegacyRequest(request, body)) ? this.#eras.legacy : this.#eras.modern;
      const caller = { client: http.client, says: http.headers["user-agent"]?.slice(0, 256) ?? null };
      const tokenEnded = http.credential.ended;
      const isSlow = () => reply.raw.writableNeedDrain;
      const response = await era.answer({ request, body, caller, closed: over.signal, tokenEnded, isSlow });
      await sendResponse(reply, response, over.signal, this.#heartbeat);
      return reply;
    } finally {
      call.close();
      end("answered");
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#eras.legacy.close(), this.#eras.modern.close()]);
  }

  /** Streams without an end are counted. Throws ProblemError `rate_limited`. */
  #open({ method, credential, body }: FastifyRequest, { raw }: FastifyReply): OpenCall {
    const isStream = method === "GET" || isListen(body);
    return isStream ? this.#calls.openStream(credential, raw) : this.#calls.open(credential, raw);
  }
}

function isListen(body: unknown): boolean {
  return typeof body === "object" && body !== null && "method" in body && body.method === "subscriptions/listen";
}
