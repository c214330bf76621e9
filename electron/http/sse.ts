import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { drained } from "./drained";

export interface SseMessage {
  readonly id: string;
  readonly event: string;
  /** One line; JSON is. */
  readonly data: string;
}

const keepAliveInterval = 15_000;

export function encodeSse({ id, event, data }: SseMessage): string {
  return `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`;
}

/**
 * Answers with an event stream, one write per batch, until the batches end or `signal` aborts. The next batch is asked
 * for only when the reader has taken the last one, so a slow reader holds one batch in memory and never more.
 * The headers go out at once, and a comment every 15 s keeps the connection known to be alive; it carries no id, so a
 * reader's cursor stays on real events.
 */
export async function streamSse(
  reply: FastifyReply,
  batches: AsyncIterable<readonly SseMessage[]>,
  signal: AbortSignal,
): Promise<void> {
  const response = begin(reply);
  // HEAD asks for the headers only; the body would never come to an end.
  if (reply.request.method === "HEAD") return void response.end();
  const keepAlive = setInterval(() => {
    if (!response.writableNeedDrain) response.write(": keep-alive\n\n");
  }, keepAliveInterval);
  try {
    for await (const batch of batches) {
      if (signal.aborted) break;
      if (!response.write(batch.map(encodeSse).join(""))) await drained(response, signal);
    }
    response.end();
  } catch (error) {
    // The headers are out, so no problem can be sent; a cut stream tells the reader to come back with its cursor.
    reply.log.error({ err: error, route: reply.request.routeOptions.url }, "An event stream failed");
    response.destroy();
  } finally {
    clearInterval(keepAlive);
  }
}

function begin(reply: FastifyReply): ServerResponse {
  reply.hijack();
  reply.raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
  });
  reply.raw.flushHeaders();
  return reply.raw;
}
