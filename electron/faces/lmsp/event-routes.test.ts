import { once } from "node:events";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ScriptedModel } from "../../backend/scripted/script";
import { ScriptedBackend } from "../../backend/scripted/scripted-backend";
import type { Clock } from "../../engine/clock";
import { TestSocket } from "../../http/test-socket";
import { jobs } from "../../jobs/jobs";
import { MemoryStore } from "../../store/memory-store";
import { dataOf, eventsOf, framesOf, TestLmsp, type TestLmspParts } from "./test-lmsp";

let lmsp: TestLmsp;
let backend: ScriptedBackend;
afterEach(async () => {
  vi.useRealTimers();
  await lmsp[Symbol.asyncDispose]();
  expect(lmsp.logged).toEqual([]);
});

async function start(model: ScriptedModel, parts: Partial<TestLmspParts> = {}): Promise<void> {
  backend = new ScriptedBackend({ models: { one: model } });
  lmsp = await TestLmsp.start({ store: new MemoryStore(), backend, jobs, models: ["one"], ...parts });
}

/** Each asking takes a millisecond, so that even a script that takes no time writes many deltas. */
function hastyClock(): Clock {
  let now = 1_000_000;
  return { now: () => ++now, after: () => () => undefined };
}

const final = /^response\.(completed|incomplete|failed|cancelled)$/;
const url = (id: string, query = "") => `/lmsp/v1/tasks/${id}/events${query}`;
const textIn = (frames: readonly string[]) => frames.map((frame) => dataOf(frame).delta ?? "").join("");

/** What a raw reader got, without the HTTP around it. */
function streamIn(received: string): string {
  const body = received.slice(received.indexOf("\r\n\r\n") + 4);
  return body.replace(/\r\n[0-9a-f]+\r\n|^[0-9a-f]+\r\n|\r\n0\r\n\r\n$/g, "").replace(/\r\n$/, "");
}

describe("a task's event stream", () => {
  it("replays the whole course, to the byte the same each time", async () => {
    await start({ text: "Hello there, 世界 🦙!" });
    const { id, response_id } = await lmsp.create();
    const live = await lmsp.frames(id);
    const late = await lmsp.frames(id);
    expect(late).toEqual(live);
    expect(eventsOf(live)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      ...eventsOf(live).filter((event) => event === "response.output_text.delta"),
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(live.map((frame) => dataOf(frame).sequence_number)).toEqual(live.map((_, index) => index));
    expect(live.map((frame) => frame.split("\n")[0])).toEqual(live.map((_, index) => `id: ${index}`));
    expect(textIn(live)).toBe("Hello there, 世界 🦙!");
    const { response } = await lmsp.task(id);
    expect(dataOf(live.at(-1)).response).toEqual(response);
    expect(response?.id).toBe(response_id);
  });

  it("continues from every cursor, by header and by query, and the header wins", async () => {
    await start({ text: "One two three four" }, { clock: hastyClock() });
    const { id } = await lmsp.create();
    const all = await lmsp.frames(id);
    for (const [cursor] of all.slice(0, -1).entries()) {
      expect(await lmsp.frames(id, { "last-event-id": String(cursor) })).toEqual(all.slice(cursor + 1));
      expect(await lmsp.frames(id, {}, `?starting_after=${cursor}`)).toEqual(all.slice(cursor + 1));
    }
    expect(await lmsp.frames(id, { "last-event-id": "2" }, "?starting_after=5")).toEqual(all.slice(3));
  });

  it("is 204 from the final event on", async () => {
    await start({});
    const { id } = await lmsp.create();
    const all = await lmsp.frames(id);
    for (const cursor of [all.length - 1, all.length + 10]) {
      const answer = await lmsp.get(`/tasks/${id}/events?starting_after=${cursor}`);
      expect([answer.statusCode, answer.body, answer.headers["content-type"]]).toEqual([204, "", undefined]);
    }
  });

  it("closes with its task for a cursor that the task never reaches", async () => {
    await start({ text: "One two", hold: ["tokens"] });
    const { id } = await lmsp.create();
    await using reader = await TestSocket.to(lmsp.app);
    await reader.request("GET", url(id, "?starting_after=1000"), ["connection: close"]).until("text/event-stream");
    backend.release(5);
    expect(framesOf(streamIn(await reader.rest()))).toEqual([]);
    expect((await lmsp.task(id)).status).toBe("succeeded");
  });

  it("is refused with a cursor that is no number, and for a task that does not exist", async () => {
    await start({});
    const { id } = await lmsp.create();
    for (const cursor of ["x", "-1", "1.5", ""]) {
      expect((await lmsp.get(`/tasks/${id}/events?starting_after=${cursor}`)).json().code).toBe("invalid_request");
      expect((await lmsp.get(`/tasks/${id}/events`, { "last-event-id": cursor })).json().code).toBe("invalid_request");
    }
    const unknown = await lmsp.get("/tasks/task_01J8M8R5X3V7B2N4Q9T1W6Y0ZC/events");
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, "task_not_found"]);
  });

  it("is 410 when its events are no longer kept, and 204 for a reader that has them all", async () => {
    let now = 1_000_000;
    await start(
      {},
      { clock: { now: () => now, after: () => () => undefined }, settings: { "retention.events": 1_000 } },
    );
    const { id } = await lmsp.create();
    const all = await lmsp.frames(id);
    now += 1_000;
    const gone = await lmsp.get(`/tasks/${id}/events`);
    expect([gone.statusCode, gone.json().code]).toEqual([410, "event_history_expired"]);
    expect((await lmsp.get(`/tasks/${id}/events?starting_after=${all.length - 1}`)).statusCode).toBe(204);
    expect((await lmsp.task(id)).status).toBe("succeeded");
  });

  it("ends with response.failed and closes when the task fails", async () => {
    await start({ loadFails: "the file is cut off" });
    const { id } = await lmsp.create();
    const frames = await lmsp.frames(id);
    expect(eventsOf(frames)).toEqual(["response.created", "response.failed"]);
    const { error } = await lmsp.task(id);
    expect(error).toMatchObject({ code: "model_load_failed", status: 503 });
    expect(dataOf(frames[1]).response).toMatchObject({ status: "failed", error, output: [] });
  });

  it("ends with response.failed after its first words when the backend is lost", async () => {
    await start({ text: "One two three", crashes: 2 });
    const { id } = await lmsp.create();
    const frames = await lmsp.frames(id);
    expect(eventsOf(frames).filter((event) => final.test(event))).toEqual(["response.failed"]);
    expect(dataOf(frames.at(-1)).response.error).toMatchObject({ code: "backend_crashed", status: 503 });
  });

  it("ends with response.cancelled when the task is cancelled, and has no output after that", async () => {
    await start({ endless: true, hold: ["tokens"] });
    const { id } = await lmsp.create();
    await lmsp.until(id, "running");
    backend.release(1);
    await using reader = await TestSocket.to(lmsp.app);
    await reader.request("GET", url(id)).until("output_text.delta");
    await lmsp.ask("POST", `/tasks/${id}/cancel`);
    await reader.until("event: response.cancelled");
    const events = eventsOf(await lmsp.frames(id));
    expect(events.slice(-2)).toEqual(["response.output_text.delta", "response.cancelled"]);
  });

  it("carries a final event and closes, however close to the end it is opened", async () => {
    await start({ text: "Short" });
    for (let round = 0; round < 150; round += 1) {
      const { id } = await lmsp.create();
      const ended = lmsp.until(id, "succeeded");
      if (round % 3 === 0) await ended;
      if (round % 3 === 1) await lmsp.until(id, "running");
      const streams = await Promise.all([lmsp.frames(id), ended.then(() => lmsp.frames(id))]);
      for (const frames of streams)
        expect(eventsOf(frames).flatMap((event, index) => (final.test(event) ? [index] : []))).toEqual([
          frames.length - 1,
        ]);
    }
  });

  it("goes to every reader in full, while one of them reads nothing", async () => {
    await start({ text: "word ".repeat(3_000), hold: ["tokens"] }, { clock: hastyClock() });
    const { id } = await lmsp.create();
    const open = async () => (await TestSocket.to(lmsp.app)).request("GET", url(id), ["connection: close"]);
    const readers = [await open(), await open(), await open()];
    for (const reader of readers) await reader.until("response.created");
    readers[2]?.socket.pause();
    backend.release(4_000);
    const [one, two] = await Promise.all(
      readers.slice(0, 2).map(async (reader) => framesOf(streamIn(await reader.rest()))),
    );
    expect(one).toEqual(two);
    expect(one).toEqual(await lmsp.frames(id));
    readers[2]?.socket.resume();
    expect(framesOf(streamIn((await readers[2]?.rest()) ?? ""))).toEqual(one);
  });

  it("leaves the task running when its reader goes away", async () => {
    await start({ text: "word ".repeat(50), hold: ["tokens"] });
    const { id } = await lmsp.create();
    await lmsp.until(id, "running");
    backend.release(5);
    const reader = await TestSocket.to(lmsp.app);
    await reader.request("GET", url(id)).until("output_text.delta");
    await reader[Symbol.asyncDispose]();
    backend.release(100);
    await lmsp.until(id, "succeeded");
    expect(textIn(await lmsp.frames(id))).toBe("word ".repeat(50));
  });

  it("is the same with a reconnect right after a keep-alive as without", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    await start({ text: "One two three", hold: ["tokens"] });
    const { id } = await lmsp.create();
    await lmsp.until(id, "running");
    backend.release(1);
    const first = await TestSocket.to(lmsp.app);
    await first.request("GET", url(id)).until("output_text.delta");
    vi.advanceTimersByTime(15_000);
    await first.until("\n: keep-alive\n\n");
    await first[Symbol.asyncDispose]();
    const ids = first.received.match(/^id: (\d+)$/gm) ?? [];
    backend.release(5);
    const rest = await lmsp.frames(id, { "last-event-id": ids.at(-1)?.slice(4) ?? "" });
    expect([...ids, ...rest.map((frame) => frame.split("\n")[0])]).toEqual(
      (await lmsp.frames(id)).map((frame) => frame.split("\n")[0]),
    );
  });

  it("ends without a final event when the server stops", async () => {
    await start({ endless: true, hold: ["tokens"] });
    const { id } = await lmsp.create();
    await lmsp.until(id, "running");
    backend.release(1);
    await using reader = await TestSocket.to(lmsp.app);
    await reader.request("GET", url(id)).until("output_text.delta");
    const closed = once(reader.socket, "close");
    await lmsp.app.close();
    await closed;
    const frames = framesOf(streamIn(reader.received));
    expect(eventsOf(frames).at(-1)).toBe("response.output_text.delta");
  });

  it("has whole characters in every frame, wherever tokens and replays cut", async () => {
    const text = "🦙𝔸🇹🇼".repeat(25_000);
    const bytes = [...new TextEncoder().encode(text)];
    const tokens = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
      bytes.slice(index * 7, index * 7 + 7),
    );
    await start({ tokens, contextLength: 200_000 }, { clock: hastyClock() });
    const { id } = await lmsp.create();
    const all = await lmsp.frames(id);
    expect(all.length).toBeGreaterThan(1_000);
    expect(textIn(all)).toBe(text);
    for (const frame of all) expect(/\p{Surrogate}|\ufffd/u.test(dataOf(frame).delta ?? "")).toBe(false);
    for (let cursor = 1_000; cursor < all.length; cursor += 1_000)
      expect(await lmsp.frames(id, { "last-event-id": String(cursor) })).toEqual(all.slice(cursor + 1));
  });
});
