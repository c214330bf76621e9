import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HostProcess } from "../host";
import {
  type Frame,
  finalEvents,
  frames,
  joinedText,
  LmspClient,
  type LmspTask,
  outputText,
  refusal,
} from "../lmsp-client";
import { slowModelFolder } from "../slow-model";

const slow = { model: "simmer-slow", input: "Write a long report about bicycles.", temperature: 0 };

describe("LMSP from outside, on the real host", () => {
  let host: HostProcess;
  let lmsp: LmspClient;

  beforeAll(async () => {
    const modelsDir = await slowModelFolder();
    host = await HostProcess.start({ modelsDir, clients: ["other"], set: { "limits.parallel": 2 } });
    lmsp = new LmspClient(host.endpoint);
  });
  afterAll(() => host[Symbol.asyncDispose]());

  it("answers a create before the task ends, with the task as it was stored", async () => {
    const task = await lmsp.create("Write a story about a kite.");
    expect(task).toMatchObject({ object: "task", type: "response", status: "queued", response: null, error: null });
    const ended = await lmsp.until(task.id, "succeeded");
    expect(outputText(ended).length).toBeGreaterThan(100);
    expect(ended.response?.usage.output_tokens).toBeGreaterThan(50);
    expect(ended.response_id).toBe(task.response_id);
  });

  it("streams live what a late replay gives byte for byte", async () => {
    const task = await lmsp.create("Write a story about a fox.");
    const live = await lmsp.allEvents(task.id);
    const late = await lmsp.allEvents(task.id);
    expect(late.map(({ raw }) => raw)).toEqual(live.map(({ raw }) => raw));
    expect(live[0]?.event).toBe("response.created");
    expect(live.map(({ id }) => id)).toEqual(live.map((_, index) => index));
    expect(live.filter(({ event }) => finalEvents.includes(event)).map(({ id }) => id)).toEqual([live.length - 1]);
    expect(joinedText(live)).toBe(outputText(await lmsp.task(task.id)));
  });

  it("continues from every cursor, by query and by header", async () => {
    const task = await lmsp.create("What is the capital of Japan?");
    const all = await lmsp.allEvents(task.id);
    for (const by of ["query", "header"] as const) {
      for (const { id } of all.slice(0, -1)) {
        const rest = await lmsp.allEvents(task.id, id, by);
        expect(rest.map(({ raw }) => raw)).toEqual(all.slice(id + 1).map(({ raw }) => raw));
      }
      expect((await lmsp.events(task.id, all.length - 1, by)).status).toBe(204);
    }
  });

  it("continues from a cursor in the middle of a run, again and again", async () => {
    const task = await lmsp.create({ ...slow, max_output_tokens: 60 });
    const seen: Frame[] = [];
    while (!finalEvents.includes(seen.at(-1)?.event ?? "")) {
      const dropped = new AbortController();
      const response = await lmsp.events(task.id, seen.at(-1)?.id, "header", dropped.signal);
      for await (const frame of frames(response)) {
        seen.push(frame);
        if (seen.length % 3 === 0) break;
      }
      dropped.abort();
    }
    expect(seen.map(({ raw }) => raw)).toEqual((await lmsp.allEvents(task.id)).map(({ raw }) => raw));
  });

  it("shows twenty followers the same", async () => {
    const task = await lmsp.create({ ...slow, max_output_tokens: 40 });
    const all = await Promise.all(Array.from({ length: 20 }, () => lmsp.allEvents(task.id)));
    const [first, ...others] = all.map((events) => events.map(({ raw }) => raw).join("\n"));
    expect(new Set(others)).toEqual(new Set([first]));
  });

  it("cancels a queued task at once", async () => {
    const busy = [await lmsp.create(slow), await lmsp.create(slow)];
    for (const { id } of busy) await lmsp.until(id, "running");
    const queued = await lmsp.create(slow);
    expect((await lmsp.cancel(queued.id)).status).toBe("cancelled");
    const events = await lmsp.allEvents(queued.id);
    expect(events.map(({ event }) => event)).toEqual(["response.created", "response.cancelled"]);
    for (const { id } of busy) await lmsp.cancel(id);
    for (const { id } of busy) await lmsp.until(id, "cancelled");
  });

  it("cancels a running task without one more event of output, and as often as asked", async () => {
    const task = await lmsp.create(slow);
    const stream = frames(await lmsp.events(task.id));
    for await (const { event } of stream) if (event === "response.output_text.delta") break;
    const answer = await lmsp.cancel(task.id);
    expect(answer).toMatchObject({ status: "cancelling", response: null, error: null });
    const committed = answer.updated_at;
    const ended = await lmsp.until(task.id, "cancelled");
    expect((await lmsp.cancel(task.id)).status).toBe("cancelled");
    const events = await lmsp.allEvents(task.id);
    expect(events.at(-1)?.event).toBe("response.cancelled");
    expect(ended).toMatchObject({ response: null, error: null });
    expect(ended.updated_at - committed).toBeLessThanOrEqual(1);
  });

  it("refuses to cancel what has succeeded, and knows no foreign ids", async () => {
    const task = await lmsp.create("What is the capital of France?");
    await lmsp.until(task.id, "succeeded");
    const refused = await lmsp.request(`/tasks/${task.id}/cancel`, { method: "POST" });
    expect(await refusal(refused)).toEqual([409, "task_not_cancelable"]);
    for (const id of ["task_01J8M8R5X3V7B2N4Q9T1W6Y0ZC", "nonsense", "%00", "..%2f..%2fetc"]) {
      for (const [path, method] of [
        ["", "GET"],
        ["/cancel", "POST"],
        ["/events", "GET"],
      ]) {
        const answer = await lmsp.request(`/tasks/${id}${path}`, { method: String(method) });
        expect(await refusal(answer)).toEqual([404, "task_not_found"]);
      }
    }
  });

  it("makes one task of ten concurrent creates with one key", async () => {
    const body = { type: "response", input: { input: "What is the capital of Spain?" } };
    const headers = { "idempotency-key": "the-very-same" };
    const answers = await Promise.all(Array.from({ length: 10 }, () => lmsp.post("/tasks", body, headers)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202));
    const ids = await Promise.all(answers.map(async (answer) => ((await answer.json()) as LmspTask).id));
    expect(new Set(ids).size).toBe(1);
    const other = await lmsp.post("/tasks", { ...body, input: { input: "Another." } }, headers);
    expect(await refusal(other)).toEqual([422, "idempotency_key_reused"]);
  });

  it("calls an incomplete response succeeded", async () => {
    const task = await lmsp.create({ input: "Write a story about a kite.", max_output_tokens: 5 });
    const ended = await lmsp.until(task.id, "succeeded");
    expect(ended.response).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
    expect(ended.response?.usage.output_tokens).toBe(5);
    expect((await lmsp.allEvents(task.id)).at(-1)?.event).toBe("response.incomplete");
  });

  it("goes on running when every client has gone, and has the whole history for one that comes back", async () => {
    const task = await lmsp.create({ ...slow, max_output_tokens: 40 });
    const gone = new AbortController();
    for await (const { event } of frames(await lmsp.events(task.id, undefined, "query", gone.signal)))
      if (event === "response.output_text.delta") break;
    gone.abort();
    const ended = await lmsp.until(task.id, "succeeded");
    expect(joinedText(await lmsp.allEvents(task.id))).toBe(outputText(ended));
  });

  it("keeps one client's tasks from another", async () => {
    const other = new LmspClient(host.endpoint, host.endpoint.clients.other);
    const task = await lmsp.create("What is the capital of Italy?");
    for (const [path, method] of [
      ["", "GET"],
      ["/cancel", "POST"],
      ["/events", "GET"],
    ]) {
      const answer = await other.request(`/tasks/${task.id}${path}`, { method: String(method) });
      expect(await refusal(answer)).toEqual([404, "task_not_found"]);
    }
    expect(await (await other.request("/tasks")).json()).toMatchObject({ data: [] });
    expect((await lmsp.until(task.id, "succeeded")).status).toBe("succeeded");
  });
});
