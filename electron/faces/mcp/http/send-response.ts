import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { drained } from "../../../http/drained";
import type { Heartbeat } from "./heartbeat";

/**
 * Sends what a generation answered. The headers of an event stream go out at once, and the next chunk is asked for when
 * the reader has taken the last one. Resolves when all is sent, or when `signal` aborts; then the answer is cut.
 */
export async function sendResponse(
  reply: FastifyReply,
  response: Response,
  signal: AbortSignal,
  heartbeat: Heartbeat,
): Promise<void> {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isStream || response.body === null) {
    const text = await response.text();
    await reply
      .code(response.status)
      .headers(Object.fromEntries(response.headers))
      .send(text === "" ? undefined : text);
    return;
  }
  const raw = begin(reply, response);
  const stop = heartbeat.add(raw);
  try {
    await pump(response.body, raw, signal);
  } finally {
    stop();
    raw.end();
  }
}

function begin(reply: FastifyReply, response: Response): ServerResponse {
  reply.hijack();
  reply.raw.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
    "x-content-type-options": "nosniff",
  });
  reply.raw.flushHeaders();
  return reply.raw;
}

async function pump(body: ReadableStream<Uint8Array>, raw: ServerResponse, signal: AbortSignal): Promise<void> {
  const reader = body.getReader();
  const leave = () => void reader.cancel(signal.reason);
  signal.addEventListener("abort", leave);
  if (signal.aborted) leave();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read())
      if (!raw.write(next.value)) await drained(raw, signal);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
