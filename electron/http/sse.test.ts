import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { HttpApp } from "./app";
import type { OpenCall } from "./open-calls";
import { type SseMessage, streamSse } from "./sse";
import { owner, testServer } from "./test-server";
import { TestSocket } from "./test-socket";

let app: HttpApp;
let source: Source;
let calls: OpenCall[];
let closed: number;

/** Events that a test hands out, one batch at a time. */
class Source {
  asked = 0;
  readonly #waiting = new Set<() => void>();
  readonly #batches: (readonly SseMessage[] | Error | "end")[] = [];

  push(batch: readonly SseMessage[] | Error | "end"): void {
    this.#batches.push(batch);
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  async *read(signal: AbortSignal): AsyncGenerator<readonly SseMessage[], void> {
    signal.addEventListener("abort", () => this.#wake());
    for (;;) {
      this.asked += 1;
      while (this.#batches.length === 0 && !signal.aborted) await new Promise<void>((wake) => this.#waiting.add(wake));
      const batch = this.#batches.shift();
      if (batch === undefined || batch === "end") return;
      if (batch instanceof Error) throw batch;
      yield batch;
    }
  }
}

const message = (id: number, data = "{}"): SseMessage => ({ id: String(id), event: "news", data });
/** More than the buffers of a connection hold, sixty times over. */
const large = [message(1, "x".repeat(250_000))];

function register(app: HttpApp): void {
  app.get("/news", async (request, reply) => {
    const call = app.openCalls.openStream(request.credential, reply.raw);
    calls.push(call);
    await streamSse(reply, source.read(call.signal), call.signal).finally(() => call.close());
    closed += 1;
  });
}

beforeEach(() => {
  source = new Source();
  calls = [];
  closed = 0;
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

const tick = () => new Promise((resolve) => setTimeout(resolve, 20));

async function until(condition: () => boolean): Promise<void> {
  await vi.waitFor(() => expect(condition()).toBe(true), { timeout: 5_000, interval: 1 });
}

describe("an event stream", () => {
  it("sends its headers at once, its events as they come, and closes after the last", async () => {
    app = await testServer({}, register);
    await using reader = await TestSocket.to(app);
    const head = await reader.request("GET", "/news").until("\r\n\r\n");
    for (const line of ["content-type: text/event-stream", "x-accel-buffering: no", "cache-control: no-store"])
      expect(head).toContain(line);
    source.push([message(0), message(1, '"\\n"')]);
    expect(await reader.until("id: 1")).toContain(
      'id: 0\nevent: news\ndata: {}\n\nid: 1\nevent: news\ndata: "\\n"\n\n',
    );
    source.push("end");
    expect(await reader.until("\r\n0\r\n\r\n")).toMatch(/\n\n\r\n0\r\n\r\n$/);
  });

  it("says every 15 seconds that it lives, without an id", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    app = await testServer({}, register);
    await using reader = await TestSocket.to(app);
    await reader.request("GET", "/news").until("\r\n\r\n");
    vi.advanceTimersByTime(14_999);
    source.push([message(0)]);
    expect(await reader.until("id: 0")).not.toContain("\n: keep-alive");
    vi.advanceTimersByTime(1);
    expect((await reader.until("\n: keep-alive\n\n")).match(/^id/gm)).toHaveLength(1);
    source.push("end");
    await reader.until("\r\n0\r\n\r\n");
    await until(() => vi.getTimerCount() === 0);
  });

  it("asks for no more than a slow reader takes", async () => {
    app = await testServer({}, register);
    await using reader = await TestSocket.to(app);
    await reader.request("GET", "/news").until("\r\n\r\n");
    reader.socket.pause();
    for (let pushed = 0; pushed < 60; pushed += 1) source.push(large);
    // It stands still once the buffers of the connection are full.
    for (let before = -1; before !== source.asked; await tick()) before = source.asked;
    expect(source.asked).toBeLessThan(55);
    source.push("end");
    reader.socket.resume();
    await until(() => reader.received.endsWith("\r\n0\r\n\r\n"));
    expect(reader.received.match(/^id: 1$/gm)).toHaveLength(60);
  });

  it("hears when its reader leaves, also one that reads nothing", async () => {
    app = await testServer({}, register);
    const reader = await TestSocket.to(app);
    await reader.request("GET", "/news").until("\r\n\r\n");
    reader.socket.pause();
    for (let pushed = 0; pushed < 60; pushed += 1) source.push(large);
    reader.socket.destroy();
    await until(() => calls[0]?.signal.reason === "caller left");
  });

  it("ends without another event when the server stops, and does not hold it up", async () => {
    app = await testServer({}, register);
    await using reader = await TestSocket.to(app);
    await reader.request("GET", "/news").until("\r\n\r\n");
    source.push([message(0)]);
    await reader.until("id: 0");
    await app.close();
    expect((await reader.rest()).match(/^id/gm)).toHaveLength(1);
    expect(calls[0]?.signal.reason).toBe("server stops");
  });

  it("is cut when its source breaks, so that the reader comes back", async () => {
    const logged: unknown[] = [];
    app = await testServer({}, register, logged);
    await using reader = await TestSocket.to(app);
    await reader.request("GET", "/news").until("\r\n\r\n");
    source.push(new Error("broken"));
    expect(await reader.rest()).not.toMatch(/\r\n0\r\n\r\n$/);
    expect(logged).toHaveLength(1);
  });

  it("is one of a limited number for each client, and frees its place", async () => {
    app = await testServer({ "limits.streams_per_client": 1 }, register);
    await using first = await TestSocket.to(app);
    await first.request("GET", "/news").until("\r\n\r\n");
    const refused = await app.inject({ url: "/news", headers: owner });
    expect([refused.statusCode, refused.json().code, refused.headers["retry-after"]]).toEqual([
      429,
      "rate_limited",
      "1",
    ]);
    await using foreign = await TestSocket.to(app);
    foreign.socket.write(
      `GET /news HTTP/1.1\r\nhost: 127.0.0.1:${foreign.port}\r\nauthorization: Bearer second\r\n\r\n`,
    );
    expect(await foreign.until("\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 /);
    first.socket.destroy();
    await until(() => closed === 1);
    await using again = await TestSocket.to(app);
    expect(await again.request("GET", "/news").until("\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("is not broken into by nonsense that follows on its connection", async () => {
    app = await testServer({}, register);
    await using reader = await TestSocket.to(app);
    await reader.request("GET", "/news").until("\r\n\r\n");
    reader.socket.write("\x16 no HTTP\r\n\r\n");
    expect(await reader.rest()).not.toContain("HTTP/1.1 400");
  });

  it("has headers only for HEAD", async () => {
    app = await testServer({}, register);
    const answer = await app.inject({ method: "HEAD", url: "/news", headers: owner });
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "text/event-stream; charset=utf-8"]);
    expect(source.asked).toBe(0);
  });
});
