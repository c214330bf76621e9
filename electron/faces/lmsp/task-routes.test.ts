import { afterEach, describe, expect, it } from "vitest";
import { ProblemError } from "../../../shared/problem";
import { ScriptedBackend } from "../../backend/scripted/scripted-backend";
import { other, owner } from "../../http/test-server";
import { TestSocket } from "../../http/test-socket";
import { jobs } from "../../jobs/jobs";
import { MemoryStore } from "../../store/memory-store";
import { type ListObject, taskSchema } from "./schemas";
import { TestLmsp, type TestLmspParts } from "./test-lmsp";

let lmsp: TestLmsp;
let backend: ScriptedBackend;
let store: MemoryStore;
afterEach(async () => {
  await lmsp[Symbol.asyncDispose]();
  expect(lmsp.logged).toEqual([]);
});

/** `quick` writes at once; `held` writes a token whenever the test lets it. */
async function start(settings: TestLmspParts["settings"] = {}): Promise<void> {
  store = new MemoryStore();
  backend = new ScriptedBackend({ models: { quick: {}, held: { hold: ["tokens"], endless: true } } });
  lmsp = await TestLmsp.start({
    store,
    backend,
    jobs,
    models: ["quick", "held"],
    settings: { "limits.parallel": 1, ...settings },
  });
}

const held = { model: "held", input: "Hi" };
const code = (answer: { statusCode: number; json(): { code: string } }) => `${answer.statusCode} ${answer.json().code}`;

async function running(): Promise<string> {
  const { id } = await lmsp.create(held);
  await lmsp.until(id, "running");
  return id;
}

describe("creating a task", () => {
  it("answers 202 with the task as it was stored, and where it is", async () => {
    await start();
    const answer = await lmsp.post("Hi");
    const task = taskSchema.parse(answer.json());
    expect([answer.statusCode, answer.headers.location]).toEqual([202, `/lmsp/v1/tasks/${task.id}`]);
    expect(task).toMatchObject({ status: "queued", on_restart: "fail", response: null, error: null });
    expect([task.id, task.response_id]).toEqual([
      expect.stringMatching(/^task_[0-9A-Z]{26}$/),
      expect.stringMatching(/^resp_[0-9A-Z]{26}$/),
    ]);
    await lmsp.until(task.id, "succeeded");
    const ended = taskSchema.parse(await lmsp.task(task.id));
    expect(ended.response).toMatchObject({ id: task.response_id, status: "completed", model: "quick", error: null });
    expect(ended.response?.output[0]?.content[0]?.text).toBe("This text was written by a script.");
  });

  it("names the model that it does not know", async () => {
    await start();
    expect(code(await lmsp.post({ model: "nope", input: "Hi" }))).toBe("404 model_not_found");
  });

  it("ignores unknown fields in the envelope and in the request alike", async () => {
    await start();
    expect((await lmsp.post({ input: "Hi", keep_alive: "30s", foo: 1 }, { bar: 1 })).statusCode).toBe(202);
    expect((await lmsp.ask("POST", "/responses", {}, { input: "Hi", keep_alive: "30s", foo: 1 })).statusCode).toBe(200);
  });

  it("holds max_output_tokens to the setting", async () => {
    await start({ "limits.max_output_tokens": 10 });
    expect((await lmsp.post({ input: "Hi", max_output_tokens: 10 })).statusCode).toBe(202);
    for (const path of ["/tasks", "/responses"]) {
      const request = { input: "Hi", max_output_tokens: 11 };
      const body = path === "/tasks" ? { type: "response", input: request } : request;
      expect(code(await lmsp.ask("POST", path, {}, body))).toBe("400 invalid_request");
    }
  });

  it("takes JSON only, of a limited size", async () => {
    await start({ "limits.body_bytes": 1_024 });
    expect(code(await lmsp.ask("POST", "/tasks", { "content-type": "text/plain" }, "Hi"))).toBe(
      "415 unsupported_media_type",
    );
    expect(code(await lmsp.post("x".repeat(1_024)))).toBe("413 payload_too_large");
    expect(code(await lmsp.ask("POST", "/tasks", { "content-type": "application/json" }, "{"))).toBe(
      "400 invalid_request",
    );
  });

  it("takes resume as it is, and refuses retry without a key", async () => {
    await start();
    expect((await lmsp.post("Hi", { on_restart: "resume" })).json().on_restart).toBe("resume");
    expect(code(await lmsp.post("Hi", { on_restart: "retry" }))).toBe("400 idempotency_key_required");
    expect((await lmsp.post("Hi", { on_restart: "retry" }, { "idempotency-key": "k" })).json().on_restart).toBe(
      "retry",
    );
    expect((await lmsp.get("/tasks")).json().data).toHaveLength(2);
  });

  it("is refused with 429 when the queue is full, and leaves nothing half-created", async () => {
    await start({ "limits.queue_per_client": 2 });
    await running();
    const answers = await Promise.all(Array.from({ length: 6 }, () => lmsp.post(held)));
    const refused = answers.filter(({ statusCode }) => statusCode !== 202);
    expect(refused.map(code)).toEqual(Array(4).fill("429 queue_full"));
    for (const { headers } of refused) expect(Number(headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect((await lmsp.get("/tasks")).json().data).toHaveLength(3);
  });

  it("is refused with 507 while the disk is full, and works again with room", async () => {
    await start();
    const transaction = store.transaction.bind(store);
    store.transaction = (durability, work) =>
      transaction(durability, () => {
        work();
        throw new ProblemError("storage_failed", "The disk is full.");
      });
    const key = { "idempotency-key": "again" };
    expect(code(await lmsp.post("Hi", {}, key))).toBe("507 storage_failed");
    store.transaction = transaction;
    expect((await lmsp.get("/tasks")).json().data).toEqual([]);
    const { id } = await lmsp.create("Hi", {}, key);
    await lmsp.until(id, "succeeded");
  });
});

describe("an idempotency key", () => {
  const key = { "idempotency-key": "01J8M7C4Y3N5P8R2T6V9X1Z4BH" };

  it("makes one task of a request that comes again, and shows its current state", async () => {
    await start();
    const first = await lmsp.create("Hi", {}, key);
    await lmsp.until(first.id, "succeeded");
    const body = `{ "input": {"input":"Hi"},\n "type": "response" }`;
    const again = await lmsp.ask("POST", "/tasks", { ...key, "content-type": "application/json" }, body);
    expect([again.statusCode, again.json().id, again.json().status]).toEqual([202, first.id, "succeeded"]);
  });

  it("makes one task of ten requests at the same time", async () => {
    await start();
    const answers = await Promise.all(Array.from({ length: 10 }, () => lmsp.post("Hi", {}, key)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(202));
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1);
    expect((await lmsp.get("/tasks")).json().data).toHaveLength(1);
  });

  it("is refused with another request, which creates nothing", async () => {
    await start();
    await lmsp.create("Hi", {}, key);
    expect(code(await lmsp.post("Ho", {}, key))).toBe("422 idempotency_key_reused");
    const both = await Promise.all([
      lmsp.post("A", {}, { "idempotency-key": "k" }),
      lmsp.post("B", {}, { "idempotency-key": "k" }),
    ]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([202, 422]);
    expect((await lmsp.get("/tasks")).json().data).toHaveLength(2);
  });

  it.each(["x".repeat(256), "caf\u00e9", ""])("is refused as %j", async (value) => {
    await start();
    const answer = await lmsp.post("Hi", {}, { "idempotency-key": value });
    expect([code(answer), answer.json().detail]).toEqual([
      "400 invalid_request",
      expect.stringMatching(/^idempotency-key: /),
    ]);
  });

  it("is refused when it comes twice", async () => {
    await start();
    await using socket = await TestSocket.to(lmsp.app);
    const body = '{"type": "response", "input": {"input": "Hi"}}';
    const keys = ["idempotency-key: one", "Idempotency-Key: two"];
    const length = ["content-type: application/json", `content-length: ${body.length}`];
    const answer = await socket.request("POST", "/lmsp/v1/tasks", [...keys, ...length], body).until("}");
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*"detail":"idempotency-key: /s);
  });

  it("belongs to its client", async () => {
    await start();
    const mine = await lmsp.create("Hi", {}, key);
    const theirs = await lmsp.create("Ho", {}, { ...key, ...other });
    expect(theirs.id).not.toBe(mine.id);
  });
});

describe("cancelling", () => {
  it("ends a queued task at once, and a running one when the backend has stopped", async () => {
    await start();
    const first = await running();
    const second = await lmsp.create(held);
    expect((await lmsp.ask("POST", `/tasks/${second.id}/cancel`)).json()).toMatchObject({
      status: "cancelled",
      response: null,
      error: null,
    });
    const answer = await lmsp.ask("POST", `/tasks/${first}/cancel`);
    expect([answer.statusCode, answer.json().status]).toEqual([200, "cancelling"]);
    await lmsp.until(first, "cancelled");
    const again = await lmsp.ask("POST", `/tasks/${first}/cancel`);
    expect([again.statusCode, again.json().status]).toEqual([200, "cancelled"]);
    expect((await backend.stats()).generating).toBe(0);
  });

  it("is refused for a task that has ended otherwise, and for one that does not exist", async () => {
    await start();
    const { id } = await lmsp.create();
    await lmsp.until(id, "succeeded");
    expect(code(await lmsp.ask("POST", `/tasks/${id}/cancel`))).toBe("409 task_not_cancelable");
    for (const wrong of ["task_01J8M8R5X3V7B2N4Q9T1W6Y0ZC", "x", "%00", "..%2f", "x".repeat(2_000)])
      expect(code(await lmsp.ask("POST", `/tasks/${wrong}/cancel`))).toBe("404 task_not_found");
  });

  it.each([
    ["application/json", "{ not json"],
    ["application/json", ""],
    ["text/plain", "please"],
    [";;", "?"],
    ["application/json; charset=utf-16", "{}"],
    ["application/octet-stream", "x".repeat(10_000)],
  ])("ignores a body of %s", async (type, payload) => {
    await start({ "limits.body_bytes": 1_024 });
    const id = await running();
    const answer = await lmsp.ask("POST", `/tasks/${id}/cancel`, { "content-type": type }, payload);
    expect([answer.statusCode, answer.json().status]).toEqual([200, "cancelling"]);
  });

  it("does not wait for a body", async () => {
    await start();
    const id = await running();
    await using socket = await TestSocket.to(lmsp.app);
    socket.request(
      "POST",
      `/lmsp/v1/tasks/${id}/cancel`,
      ["content-type: application/json", "content-length: 999"],
      "{",
    );
    expect(await socket.until('"status":"cancelling"')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("the list of tasks", () => {
  it("is paged, newest first, and each task comes once while new ones are made", async () => {
    await start();
    const ids: string[] = [];
    for (let made = 0; made < 7; made += 1) ids.unshift((await lmsp.create()).id);
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: ListObject = (await lmsp.get(`/tasks?limit=3${cursor && `&cursor=${cursor}`}`)).json();
      expect(page.object).toBe("list");
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
      await lmsp.create();
    }
    expect(seen).toEqual(ids);
  });

  it("ends without a cursor when a page is exactly full", async () => {
    await start();
    for (let made = 0; made < 2; made += 1) await lmsp.create();
    expect((await lmsp.get("/tasks?limit=2")).json()).toMatchObject({ data: [{}, {}], next_cursor: null });
  });

  it("can be narrowed to statuses", async () => {
    await start();
    const id = await running();
    const ended = await lmsp.create();
    await lmsp.until(ended.id, "succeeded");
    const ids = async (query: string) =>
      (await lmsp.get(`/tasks?${query}`)).json().data.map((task: { id: string }) => task.id);
    expect(await ids("status=running")).toEqual([id]);
    expect(await ids("status=succeeded")).toEqual([ended.id]);
    expect(await ids("status=running&status=succeeded")).toEqual([ended.id, id]);
    expect(await ids("status=failed")).toEqual([]);
  });

  it.each([
    "limit=0",
    "limit=101",
    "limit=x",
    "limit=1.5",
    "limit=1&limit=2",
    "limit=",
    "cursor=x",
    "cursor=",
    "status=paused",
    "status=",
  ])("refuses ?%s", async (query) => {
    await start();
    const answer = await lmsp.get(`/tasks?${query}`);
    expect(code(answer)).toBe("400 invalid_request");
    expect(answer.json().detail).toContain(query.split("=")[0]);
  });
});

describe("another client", () => {
  it("sees nothing of a task", async () => {
    await start();
    const id = await running();
    expect(code(await lmsp.get(`/tasks/${id}`, other))).toBe("404 task_not_found");
    expect(code(await lmsp.get(`/tasks/${id}/events`, other))).toBe("404 task_not_found");
    expect(code(await lmsp.ask("POST", `/tasks/${id}/cancel`, other))).toBe("404 task_not_found");
    expect((await lmsp.get("/tasks", other)).json().data).toEqual([]);
    expect((await lmsp.task(id)).status).toBe("running");
  });
});

describe("the service", () => {
  it("tells its models and what it can do", async () => {
    await start();
    expect((await lmsp.get("/models")).json()).toEqual({
      object: "list",
      data: [
        { id: "quick", object: "model", default: true, loaded: false, context_length: 512, size_bytes: 1 },
        { id: "held", object: "model", default: false, loaded: false, context_length: 512, size_bytes: 1 },
      ],
    });
    const capabilities = (await lmsp.get("/capabilities")).json();
    expect(capabilities).toMatchObject({ event_resume: true, resumable_snapshots: true });
    expect(capabilities.limits).toMatchObject({
      queue_per_client: 1_000,
      max_output_tokens: 1_000_000,
      body_bytes: 4_194_304,
    });
  });

  it("describes every route of LMSP in its OpenAPI document", async () => {
    await start();
    const { paths } = (await lmsp.app.inject({ url: "/openapi.json", headers: owner })).json();
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method} ${path}`),
    );
    expect(routes.filter((route) => route.includes("/lmsp/")).sort()).toEqual([
      "get /lmsp/v1/capabilities",
      "get /lmsp/v1/models",
      "get /lmsp/v1/tasks",
      "get /lmsp/v1/tasks/{id}",
      "get /lmsp/v1/tasks/{id}/events",
      "post /lmsp/v1/responses",
      "post /lmsp/v1/tasks",
      "post /lmsp/v1/tasks/{id}/cancel",
    ]);
    const { properties } = paths["/lmsp/v1/tasks"].post.requestBody.content["application/json"].schema;
    expect(properties.input.properties.max_output_tokens.anyOf[0]).toMatchObject({
      type: "integer",
      maximum: 1_000_000,
    });
  });

  it("has no route without the guard, and no method that it does not name", async () => {
    await start();
    await lmsp.app.ready();
    const routes = lmsp.app.registeredRoutes.filter(({ url }) => url.startsWith("/lmsp/"));
    expect(routes.length).toBeGreaterThanOrEqual(8);
    for (const { method, url } of routes) {
      const path = url.replace("/lmsp/v1", "").replace(":id", "x");
      expect((await lmsp.ask(method, path, { authorization: "" })).statusCode).toBe(401);
      expect((await lmsp.ask(method, path, { origin: "http://evil.example" })).statusCode).toBe(403);
      expect((await lmsp.ask(method, path, { host: "evil.example:4517" })).statusCode).toBe(403);
      const refused = await lmsp.ask("PATCH", path);
      expect([refused.statusCode, refused.headers.allow?.includes(method)]).toEqual([405, true]);
    }
  });
});
