import { describe, expect } from "vitest";
import { z } from "zod";
import { createTaskResult, tasksExtension, withTasks } from "../modern-client";
import { it } from "../test";
import { callToolResult, relatedTask, textOf } from "../wire";

const accepted = { action: "accept", content: { name: "Ada" } };

describe("tasks of 2026-07-28", () => {
  it("a tool call that declares the extension becomes a task, at once and durable", async ({ host }) => {
    const client = host.modern();
    const created = await client.create("hold", { label: "a" });
    expect(created).toMatchObject({ resultType: "task", status: "working", ttlMs: null });
    expect(created._meta ?? {}).not.toHaveProperty([relatedTask]);
    expect(await client.task(created.taskId)).toMatchObject({ resultType: "complete", taskId: created.taskId });
    host.desk.open("a");
    expect(await client.until(created.taskId, "completed")).toMatchObject({
      result: { content: [{ type: "text", text: "a" }] },
    });
  });

  it("a tool call that does not declare the extension is answered by its result", async ({ host }) => {
    host.desk.open("a");
    const result = await host.modern({}).result(z.looseObject({}), "tools/call", {
      name: "hold",
      arguments: { label: "a" },
    });
    expect(result).toMatchObject({ resultType: "complete", content: [{ text: "a" }] });
  });

  // Case 22.
  it.for(["tasks/get", "tasks/update", "tasks/cancel"])(
    "%s without the extension is -32021, HTTP 400, and says what is missing",
    async (method, { host }) => {
      const taskId = await host.modern().start("hold", { label: "a" });
      const { status, answer } = await host.modern({}).request(method, { taskId, inputResponses: {} });
      expect(status).toBe(400);
      expect(answer).toMatchObject({
        error: { code: -32021, data: { requiredCapabilities: { extensions: { [tasksExtension]: {} } } } },
      });
      expect((await host.modern().task(taskId)).status).toBe("working");
    },
  );

  // Case 22: never -32601 or another code.
  it("a required tool without the extension is -32021 and is not run", async ({ host }) => {
    const { status, answer } = await host.modern({}).request("tools/call", {
      name: "hold_required",
      arguments: { label: "a" },
    });
    expect([status, answer]).toEqual([
      400,
      expect.objectContaining({ error: expect.objectContaining({ code: -32021 }) }),
    ]);
    expect(host.desk.runs("a")).toBe(0);
  });

  // Case 23.
  it.for([[{}], [{ ttl: -5 }], ["nonsense"]])(
    "the task parameter of the older revision is ignored: %j",
    async ([task], { host }) => {
      const created = await host.modern().result(createTaskResult, "tools/call", {
        name: "hold",
        arguments: { label: "a" },
        task,
      });
      expect(created.ttlMs).toBeNull();
      const result = await host.modern({}).result(callToolResult.loose(), "tools/call", {
        name: "peek",
        arguments: { label: "b" },
        task,
      });
      expect(result).toMatchObject({ structuredContent: { label: "b" } });
    },
  );

  // Case 23.
  it.for(["tasks/get", "tasks/update", "tasks/cancel"])(
    "%s whose Mcp-Name is not its task is -32020, HTTP 400, and does nothing",
    async (method, { host }) => {
      const client = host.modern();
      const taskId = await client.start("hold", { label: "a" });
      const other = await client.start("hold", { label: "b" });
      const params = { taskId, inputResponses: {} };
      for (const name of [other, ""]) {
        const { status, answer } = await client.request(method, params, { headers: { "mcp-name": name } });
        expect([name, status]).toEqual([name, 400]);
        expect(answer).toHaveProperty("error.code", -32020);
      }
      expect([(await client.task(taskId)).status, (await client.task(other)).status]).toEqual(["working", "working"]);
    },
  );

  // Cases 16 and 23.
  it("the cancel of a task that has ended is acknowledged and changes nothing", async ({ host }) => {
    const client = host.modern();
    host.desk.open("a");
    const completed = await client.start("hold", { label: "a" });
    const failed = await client.start("bug");
    const cancelled = await client.start("hold", { label: "b" });
    await client.acknowledged("tasks/cancel", { taskId: cancelled });
    for (const [taskId, status] of [
      [completed, "completed"],
      [failed, "failed"],
      [cancelled, "cancelled"],
    ] as const) {
      const before = await client.until(taskId, status);
      await client.acknowledged("tasks/cancel", { taskId });
      expect(await client.task(taskId)).toEqual(before);
    }
  });

  // Case 1 in this revision: a tool that fails has completed; only an error of the protocol is a failure.
  it("a result with isError is a completed task; an error of the protocol a failed one", async ({ host }) => {
    const client = host.modern();
    const told = await client.until(await client.start("problem", { detail: "It fails." }), "completed");
    expect(told.result).toMatchObject({ isError: true, structuredContent: { code: "model_load_failed" } });
    expect(told.error).toBeUndefined();
    const broken = await client.until(await client.start("bug"), "failed");
    expect(broken.error?.code).toBe(-32603);
    expect(JSON.stringify(broken)).not.toContain("inner reason");
    expect(broken.result).toBeUndefined();
  });

  it("tasks/result and tasks/list are gone: -32601, HTTP 404", async ({ host }) => {
    const client = host.modern();
    const taskId = await client.start("hold", { label: "a" });
    for (const method of ["tasks/result", "tasks/list"]) {
      const { status, answer } = await client.request(method, { taskId });
      expect([method, status]).toEqual([method, 404]);
      expect(answer).toHaveProperty("error.code", -32601);
    }
  });

  it.for([["no_such_task"], [""], [7], [null], [undefined]])(
    "an invalid or nonexistent taskId is -32602: %j",
    async ([taskId], { host }) => {
      const client = host.modern();
      for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
        const params = { ...(taskId === undefined ? {} : { taskId }), inputResponses: {} };
        const { answer } = await client.request(method, params);
        const code = "error" in answer ? answer.error.code : undefined;
        // An id that is no text has no header of its name, which is the first fault.
        expect([method, [-32602, -32020].includes(code ?? 0)]).toEqual([method, true]);
        if (taskId === "no_such_task") expect(code).toBe(-32602);
      }
    },
  );
});

describe("questions of 2026-07-28", () => {
  it("a task that asks shows its questions; their answer lets it go on", async ({ host }) => {
    const client = host.modern();
    const taskId = await client.start("ask", { label: "a" });
    const { inputRequests = {} } = await client.until(taskId, "input_required");
    const [[key, request] = ["", undefined], ...others] = Object.entries(inputRequests);
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      method: "elicitation/create",
      params: { message: "a 0", requestedSchema: { required: ["name"] } },
    });
    await client.acknowledged("tasks/update", { taskId, inputResponses: { [key]: accepted } });
    expect(await client.until(taskId, "working")).not.toHaveProperty("inputRequests");
    host.desk.open("a");
    const done = await client.until(taskId, "completed");
    expect(done.result && textOf(done.result)).toContain("Ada");
  });

  // Case 20.
  it("an answer under another key is acknowledged, and the question stays open for the right one", async ({ host }) => {
    const client = host.modern();
    const taskId = await client.start("ask", { label: "a" });
    const asked = await client.until(taskId, "input_required");
    await client.acknowledged("tasks/update", { taskId, inputResponses: { junk: accepted } });
    expect(await client.task(taskId)).toEqual(asked);
    const [key = ""] = Object.keys(asked.inputRequests ?? {});
    await client.acknowledged("tasks/update", { taskId, inputResponses: { [key]: accepted } });
    // A second answer under the same key is acknowledged and ignored.
    await client.acknowledged("tasks/update", { taskId, inputResponses: { [key]: { action: "decline" } } });
    host.desk.open("a");
    const done = await client.until(taskId, "completed");
    expect(done.result && textOf(done.result)).toContain("Ada");
  });

  it("of several questions each is answered for itself, and answered ones are no longer shown", async ({ host }) => {
    const client = host.modern();
    const taskId = await client.start("ask", { label: "a", questions: 2 });
    let keys: string[] = [];
    await host.eventually(async () => {
      keys = Object.keys((await client.task(taskId)).inputRequests ?? {});
      return keys.length === 2;
    });
    const [first = "", second = ""] = keys;
    await client.acknowledged("tasks/update", { taskId, inputResponses: { [first]: accepted } });
    const left = await client.task(taskId);
    expect([left.status, Object.keys(left.inputRequests ?? {})]).toEqual(["input_required", [second]]);
    await client.acknowledged("tasks/update", { taskId, inputResponses: { [second]: { action: "decline" } } });
    host.desk.open("a");
    await client.until(taskId, "completed");
  });

  it("a client that cannot answer forms is not shown them", async ({ host }) => {
    const { elicitation: _, ...cannot } = withTasks as { elicitation?: unknown };
    const client = host.modern(cannot);
    const done = await client.until(await client.start("ask", { label: "a" }), "completed");
    expect(done.result).toMatchObject({ isError: true, structuredContent: { code: "nobody_to_ask" } });
  });
});

describe("subscriptions of 2026-07-28", () => {
  it("a subscription to a task is acknowledged first, then tells each change as the full task", async ({ host }) => {
    const client = host.modern();
    const taskId = await client.start("hold", { label: "a" });
    const leaving = new AbortController();
    const messages = client.listen({ taskIds: [taskId] }, leaving.signal);
    const acknowledged = await messages.next();
    expect(acknowledged.value).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { taskIds: [taskId] } },
    });
    host.desk.open("a");
    for await (const message of messages) {
      expect(message).toMatchObject({ method: "notifications/tasks", params: { taskId } });
      if (message.params?.status !== "completed") continue;
      expect(message.params).toMatchObject({ result: { content: [{ text: "a" }] } });
      break;
    }
    leaving.abort();
  });

  it("unknown tasks are left out of the acknowledgement without a word", async ({ host }) => {
    const client = host.modern();
    const taskId = await client.start("hold", { label: "a" });
    const leaving = new AbortController();
    const { value } = await client.listen({ taskIds: ["no_such_task", taskId] }, leaving.signal).next();
    expect(value).toMatchObject({ params: { notifications: { taskIds: [taskId] } } });
    leaving.abort();
  });

  it("a subscription to tasks without the extension is -32021", async ({ host }) => {
    const { status, answer } = await host
      .modern({})
      .request("subscriptions/listen", { notifications: { taskIds: ["x"] } });
    expect([status, answer]).toEqual([
      400,
      expect.objectContaining({ error: expect.objectContaining({ code: -32021 }) }),
    ]);
  });
});
