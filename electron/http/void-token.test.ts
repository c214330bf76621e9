import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HttpApp } from "./app";
import { type SseMessage, streamSse } from "./sse";
import { owner, testServer } from "./test-server";
import { TestSocket } from "./test-socket";

let app: HttpApp;
let life: AbortController;
let closed: unknown[];

const news: SseMessage = { id: "1", event: "news", data: "{}" };
/** More than the buffers of a connection hold. */
const flood: SseMessage = { ...news, data: "x".repeat(20_000_000) };

function register(app: HttpApp): void {
  const route = (path: string, message: SseMessage) =>
    app.get(path, async (request, reply) => {
      const call = app.openCalls.openStream(request.credential, reply.raw);
      async function* batches() {
        yield [message];
        if (!call.signal.aborted)
          await new Promise((resolve) => call.signal.addEventListener("abort", resolve, { once: true }));
      }
      await streamSse(reply, batches(), call.signal).finally(() => call.close());
      closed.push(call.signal.reason);
    });
  route("/news", news);
  route("/flood", flood);
  app.post("/echo", (request) => request.body);
}

beforeEach(async () => {
  life = new AbortController();
  closed = [];
  app = await testServer({}, register, [], life.signal);
});
afterEach(() => app.close());

async function asOther(path: string, until: string): Promise<TestSocket> {
  const socket = await TestSocket.to(app);
  socket.socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${socket.port}\r\nauthorization: Bearer second\r\n\r\n`);
  await socket.until(until);
  return socket;
}

describe("a token that becomes void", () => {
  it("ends the streams that were opened with it, properly, and no others", async () => {
    await using reader = await TestSocket.to(app);
    await reader.request("GET", "/news").until("id: 1");
    await using foreign = await asOther("/news", "id: 1");
    life.abort();
    expect(await reader.until("\r\n0\r\n\r\n")).toMatch(/\r\n0\r\n\r\n$/);
    expect(closed).toEqual(["token void"]);
    expect(foreign.received).not.toContain("\r\n0\r\n\r\n");
  });

  it("ends the stream of a reader that takes nothing", async () => {
    await using reader = await TestSocket.to(app);
    await reader.request("GET", "/flood").until("\r\n\r\n");
    reader.socket.pause();
    life.abort();
    reader.socket.resume();
    expect(await reader.rest()).not.toMatch(/\r\n0\r\n\r\n$/);
    expect(closed).toEqual(["token void"]);
  });

  it("does not let a request through whose body was still on its way", async () => {
    await using slow = await TestSocket.to(app);
    const headers = ["content-type: application/json", "content-length: 2", "expect: 100-continue"];
    await slow.request("POST", "/echo", headers, "{").until("100 Continue");
    life.abort();
    slow.socket.write("}");
    expect(await slow.until('"code":"unauthorized"')).toContain("HTTP/1.1 401 ");
  });

  it("is not held by calls that are over", async () => {
    await using reader = await TestSocket.to(app);
    await reader.request("GET", "/news").until("id: 1");
    expect(getEventListeners(life.signal, "abort")).toHaveLength(1);
    reader.socket.destroy();
    while (closed.length === 0) await new Promise(setImmediate);
    expect(getEventListeners(life.signal, "abort")).toHaveLength(0);
    await app.inject({ url: "/news", method: "HEAD", headers: owner });
    expect(getEventListeners(life.signal, "abort")).toHaveLength(0);
  });
});
