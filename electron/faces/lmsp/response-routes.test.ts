import { afterEach, describe, expect, it, vi } from "vitest";
import type { Task } from "../../../shared/task";
import type { ScriptedModel } from "../../backend/scripted/script";
import { ScriptedBackend } from "../../backend/scripted/scripted-backend";
import { TestSocket } from "../../http/test-socket";
import { jobs } from "../../jobs/jobs";
import { MemoryStore } from "../../store/memory-store";
import { responseSchema } from "./schemas";
import { dataOf, eventsOf, framesOf, TestLmsp, type TestLmspParts } from "./test-lmsp";

let lmsp: TestLmsp;
let backend: ScriptedBackend;
let store: MemoryStore;
afterEach(async () => {
  await lmsp[Symbol.asyncDispose]();
  expect(lmsp.logged).toEqual([]);
});

async function start(model: ScriptedModel, settings: TestLmspParts["settings"] = {}): Promise<void> {
  store = new MemoryStore();
  backend = new ScriptedBackend({ models: { one: model } });
  lmsp = await TestLmsp.start({ store, backend, jobs, models: ["one"], settings });
}

const run = (body: object) => lmsp.ask("POST", "/responses", {}, { input: "Hi", ...body });

/** The newest task, which no list of LMSP shows. */
function newest(): Task | undefined {
  return store.tasks({ limit: 1 })[0];
}

async function send(body: object): Promise<TestSocket> {
  const text = JSON.stringify({ input: "Hi", ...body });
  const headers = ["content-type: application/json", `content-length: ${Buffer.byteLength(text)}`];
  return (await TestSocket.to(lmsp.app)).request("POST", "/lmsp/v1/responses", headers, text);
}

const until = (status: string) =>
  vi.waitFor(() => expect(newest()?.status).toBe(status), { timeout: 5_000, interval: 1 });

describe("a response request that is run at once", () => {
  it("answers with the response, and its task is in no list", async () => {
    await start({ text: "Hello" });
    const answer = await run({});
    expect(answer.statusCode).toBe(200);
    const response = responseSchema.parse(answer.json());
    expect(response).toMatchObject({ status: "completed", model: "one", error: null });
    expect(response.output[0]?.content).toEqual([{ type: "output_text", text: "Hello" }]);
    const task = newest();
    expect(task).toMatchObject({ listed: false, status: "succeeded", responseId: response.id });
    expect((await lmsp.get("/tasks")).json().data).toEqual([]);
    for (const path of [`/tasks/${task?.id}`, `/tasks/${task?.id}/events`])
      expect((await lmsp.get(path)).json().code).toBe("task_not_found");
  });

  it("answers with the events when it is to stream", async () => {
    await start({ text: "Hello" });
    const answer = await run({ stream: true });
    expect(answer.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
    const frames = framesOf(answer.body);
    expect(eventsOf(frames)[0]).toBe("response.created");
    expect(dataOf(frames.at(-1))).toMatchObject({ type: "response.completed", response: { status: "completed" } });
  });

  it("answers with the problem of what failed, and streams response.failed", async () => {
    await start({ loadFails: "no memory" });
    const answer = await run({});
    expect([answer.statusCode, answer.json().code]).toEqual([503, "model_load_failed"]);
    expect(answer.headers["content-type"]).toBe("application/problem+json");
    const frames = framesOf((await run({ stream: true })).body);
    expect(eventsOf(frames)).toEqual(["response.created", "response.failed"]);
  });

  it("says incomplete at the token limit", async () => {
    await start({ endless: true });
    expect((await run({ max_output_tokens: 3 })).json()).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      usage: { output_tokens: 3 },
    });
  });

  it("is refused for a prompt that does not fit, with numbers", async () => {
    await start({ contextLength: 4 });
    const answer = await run({ input: "one two three four five" });
    expect([answer.statusCode, answer.json().code]).toEqual([400, "context_length_exceeded"]);
    expect(answer.json().detail).toMatch(/\d/);
  });

  it("is refused when stream is no boolean", async () => {
    await start({});
    expect((await run({ stream: "yes" })).json().detail).toMatch(/^stream: /);
  });

  it("ends as cancelled when the person stops it", async () => {
    await start({ endless: true, hold: ["tokens"] });
    const answer = run({});
    await until("running");
    lmsp.service.cancel({ client: "local", says: null }, {}, newest()?.id ?? "");
    expect([(await answer).statusCode, (await answer).json()]).toEqual([
      200,
      expect.objectContaining({ status: "cancelled" }),
    ]);
  });

  it.each([
    [
      "a stream that is destroyed after its first words",
      { stream: true },
      (caller: TestSocket) => caller.socket.destroy(),
    ],
    ["a stream that is reset", { stream: true }, (caller: TestSocket) => caller.socket.resetAndDestroy()],
    ["a stream whose caller says it has sent all", { stream: true }, (caller: TestSocket) => caller.socket.end()],
    ["a call that is destroyed", {}, (caller: TestSocket) => caller.socket.destroy()],
    ["a call that is reset", {}, (caller: TestSocket) => caller.socket.resetAndDestroy()],
    ["a call whose caller says it has sent all", {}, (caller: TestSocket) => caller.socket.end()],
  ])("is cancelled when its caller goes away: %s", async (_, body, leave) => {
    await start({ endless: true, hold: ["tokens"] });
    const caller = await send(body);
    await until("running");
    backend.release(5);
    if ("stream" in body) await caller.until("output_text.delta");
    leave(caller);
    await until("cancelled");
    expect((await backend.stats()).generating).toBe(0);
  });

  it("is cancelled when its caller goes away at any moment", async () => {
    await start({ endless: true, delay: 1 }, { "limits.parallel": 4 });
    for (let round = 0; round < 60; round += 1) {
      const caller = await send(round % 2 === 0 ? { stream: true } : {});
      for (let turn = 0; turn < round; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      if (round % 3 === 0) caller.socket.end();
      else if (round % 3 === 1) caller.socket.resetAndDestroy();
      else caller.socket.destroy();
      await caller.rest();
    }
    await vi.waitFor(async () => expect((await backend.stats()).generating).toBe(0), { timeout: 10_000 });
    await vi.waitFor(() => expect(store.unfinished()).toEqual([]), { timeout: 10_000 });
  });

  it("is left as a crash leaves it when the server stops", async () => {
    await start({ endless: true, hold: ["tokens"] });
    await using call = await send({});
    await using stream = await send({ stream: true });
    await stream.until("response.created");
    await vi.waitFor(() => expect(store.unfinished()).toHaveLength(2));
    await lmsp.app.close();
    const answers = await Promise.all([call.rest(), stream.rest()]);
    expect(answers[0]).toMatch(/^($|HTTP\/1\.1 503 .*"code":"server_restarted")/s);
    expect(answers[1]).not.toMatch(/event: response\.(completed|failed|cancelled|incomplete)/);
    expect(store.unfinished().map(({ status }) => status)).not.toContain("cancelling");
    expect(store.unfinished()).toHaveLength(2);
  });
});
