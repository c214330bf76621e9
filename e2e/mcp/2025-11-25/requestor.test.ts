import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { z } from "zod";
import { type RawClient, type RawClientOptions, RpcFault } from "../raw-client";
import { it } from "../test";
import type { TestHost } from "../test-host";
import { relatedTask, relatedTaskOf, textOf } from "../wire";

const augmented = z.strictObject({ ttl: z.number().optional() });
const noSuchTask = new RpcFault(-32602, "Task not found");

/** A client that plays the receiver: it makes a task of what the server asks, and ends it when the test says so. */
class Receiver {
  readonly id = randomUUID();
  status = "working";
  readonly #pollInterval: number;
  readonly #polls: number[] = [];
  #asked: Readonly<Record<string, unknown>> = {};
  #result: Readonly<Record<string, unknown>> | RpcFault = {};
  #settle: () => void = () => undefined;
  readonly #settled = new Promise<void>((resolve) => {
    this.#settle = resolve;
  });

  constructor(pollInterval = 50) {
    this.#pollInterval = pollInterval;
  }

  /** When the server asked for the status, in milliseconds. */
  get polls(): readonly number[] {
    return this.#polls;
  }

  /** What was asked first. */
  get asked(): Readonly<Record<string, unknown>> {
    return this.#asked;
  }

  end(status: "completed" | "failed" | "cancelled", result: Readonly<Record<string, unknown>> | RpcFault): void {
    this.#result = result;
    this.status = status;
    this.#settle();
  }

  handlers(method: string): NonNullable<RawClientOptions["handlers"]> {
    return {
      [method]: (params) => {
        this.#asked = params;
        return { task: this.#task() };
      },
      "tasks/get": ({ taskId }) => {
        this.#polls.push(performance.now());
        return taskId === this.id ? this.#task() : noSuchTask;
      },
      "tasks/result": async ({ taskId }) => {
        if (taskId !== this.id) return noSuchTask;
        await this.#settled;
        if (this.#result instanceof RpcFault) return this.#result;
        return { ...this.#result, _meta: { [relatedTask]: { taskId } } };
      },
      "tasks/cancel": () => {
        this.end("cancelled", new RpcFault(-32603, "Task was cancelled"));
        return this.#task();
      },
    };
  }

  #task() {
    const at = new Date().toISOString();
    return {
      taskId: this.id,
      status: this.status,
      createdAt: at,
      lastUpdatedAt: at,
      ttl: null,
      pollInterval: this.#pollInterval,
    };
  }
}

const elicits = {
  elicitation: {},
  tasks: { list: {}, cancel: {}, requests: { elicitation: { create: {} } } },
};
const samples = { sampling: {}, tasks: { cancel: {}, requests: { sampling: { createMessage: {} } } } };
const accepted = { action: "accept", content: { name: "Ada" } };

function asReceiver(host: TestHost, receiver: Receiver): Promise<RawClient> {
  return host.client({ capabilities: elicits, handlers: receiver.handlers("elicitation/create"), listen: true });
}

describe("the server as a requestor", () => {
  it("a requestor augments a request for which the receiver has declared tasks", async ({ host }) => {
    const receiver = new Receiver();
    const client = await asReceiver(host, receiver);
    const taskId = await client.start("ask", { label: "a" });
    const asked = await client.next("elicitation/create");
    expect(augmented.safeParse(asked.params.task).success).toBe(true);
    // The task of the question is the receiver's; the question itself belongs to the task of the call.
    expect(relatedTaskOf(asked.params)).toBe(taskId);
  });

  it("a requestor polls by tasks/get and takes the result by tasks/result once the task has ended", async ({
    host,
  }) => {
    const receiver = new Receiver();
    const client = await asReceiver(host, receiver);
    const taskId = await client.start("ask", { label: "a" });
    await client.next("tasks/get", ({ params }) => params.taskId === receiver.id);
    receiver.end("completed", accepted);
    host.desk.open("a");
    await client.until(taskId, "completed");
    expect(textOf(await client.outcome(taskId))).toContain("Ada");
    expect(client.receivedOf("tasks/result").length).toBeGreaterThan(0);
  });

  it("a requestor respects the receiver's pollInterval", async ({ host }) => {
    const receiver = new Receiver(400);
    const client = await asReceiver(host, receiver);
    const taskId = await client.start("ask", { label: "a" });
    await host.eventually(() => receiver.polls.length >= 2);
    const [first = 0, second = 0] = receiver.polls;
    expect(second - first).toBeGreaterThanOrEqual(390);
    await client.cancel(taskId);
  });

  it("a requestor adds no related task to tasks/get, tasks/result and tasks/cancel", async ({ host }) => {
    const receiver = new Receiver();
    const client = await asReceiver(host, receiver);
    const taskId = await client.start("ask", { label: "a" });
    await client.next("tasks/get");
    receiver.end("completed", accepted);
    host.desk.open("a");
    await client.until(taskId, "completed");
    for (const method of ["tasks/get", "tasks/result", "tasks/cancel"])
      for (const { params } of client.receivedOf(method)) expect(relatedTaskOf(params)).toBeUndefined();
  });

  it("a requestor that meets input_required calls tasks/result", async ({ host }) => {
    const receiver = new Receiver();
    const client = await asReceiver(host, receiver);
    await client.start("ask", { label: "a" });
    receiver.status = "input_required";
    expect((await client.next("tasks/result")).params.taskId).toBe(receiver.id);
    receiver.end("completed", accepted);
  });

  it("a receiver that ignores the augmentation and answers plainly is understood", async ({ host }) => {
    const client = await host.client({
      capabilities: elicits,
      handlers: { "elicitation/create": () => accepted },
      listen: true,
    });
    host.desk.open("a");
    const taskId = await client.start("ask", { label: "a" });
    await client.until(taskId, "completed");
    expect(textOf(await client.outcome(taskId))).toContain("Ada");
    expect(client.receivedOf("tasks/get")).toEqual([]);
  });

  it("a requestor cancels the receiver's task when it no longer needs it", async ({ host }) => {
    const receiver = new Receiver();
    const client = await asReceiver(host, receiver);
    const taskId = await client.start("ask", { label: "a" });
    await client.next("tasks/get");
    await client.cancel(taskId);
    expect((await client.next("tasks/cancel")).params.taskId).toBe(receiver.id);
  });

  it("a sampling request is augmented too, and its result is the model's message", async ({ host }) => {
    const receiver = new Receiver();
    const client = await host.client({
      capabilities: samples,
      handlers: receiver.handlers("sampling/createMessage"),
      listen: true,
    });
    const taskId = await client.start("sample", { prompt: "What is the capital of France?" });
    await client.next("tasks/get");
    expect(receiver.asked).toMatchObject({
      messages: [{ role: "user", content: { type: "text", text: "What is the capital of France?" } }],
      maxTokens: 100,
      task: {},
    });
    receiver.end("completed", { role: "assistant", model: "m", content: { type: "text", text: "Paris" } });
    await client.until(taskId, "completed");
    expect(textOf(await client.outcome(taskId))).toContain("Paris");
  });

  it("a receiver's task that fails does not leave ours hanging", async ({ host }) => {
    const receiver = new Receiver();
    const client = await asReceiver(host, receiver);
    const taskId = await client.start("ask", { label: "a" });
    await client.next("tasks/get");
    receiver.end("failed", new RpcFault(-32603, "The form could not be shown"));
    // Nobody else is here to ask, so the question is dismissed and the task goes on without an answer.
    host.desk.open("a");
    await client.until(taskId, "completed");
    expect(textOf(await client.outcome(taskId))).toContain("cancel");
  });
});
