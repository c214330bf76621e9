import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HostProcess } from "../host";
import { ModernClient } from "./modern-client";
import { RawClient } from "./raw-client";
import { textOf } from "./wire";

/** The host as a user starts it, in a process of its own, with the model that comes along. */
describe("the real host with its real model", () => {
  let host: HostProcess;
  let endpoint: { url: string; token: string };
  beforeAll(async () => {
    host = await HostProcess.start();
    endpoint = { url: host.endpoint.mcp, token: host.endpoint.token };
  });
  afterAll(() => host[Symbol.asyncDispose]());

  it("runs a whole task: created, watched, its result fetched, listed", async () => {
    await using client = await RawClient.connect({ ...endpoint, listen: true });
    const args = { prompt: "What is the capital of France?", max_output_tokens: 32, temperature: 0 };
    const { task } = await client.create("generate", args, { ttl: 3_600_000 }, { progressToken: "p" });
    expect(task).toMatchObject({ status: "working", ttl: 3_600_000 });
    const text = textOf(await client.outcome(task.taskId));
    expect(text).toContain("Paris");
    expect(await client.until(task.taskId, "completed")).toMatchObject({ taskId: task.taskId });
    await client.next("notifications/tasks/status", ({ params }) => params.status === "completed");
    expect((await client.list()).tasks.map(({ taskId }) => taskId)).toEqual([task.taskId]);
    // The same by a plain call and by the other generation.
    expect(textOf(await client.call("generate", args))).toBe(text);
    const modern = new ModernClient(endpoint);
    const again = await modern.until(await modern.start("generate", args), "completed");
    expect(again.result && textOf(again.result)).toBe(text);
  });

  it("stops a long text when its task is cancelled, and can be used again", async () => {
    await using client = await RawClient.connect({ ...endpoint });
    const taskId = await client.start("generate", { prompt: "Write a long report about bees.", temperature: 0 });
    const waiting = client.error("tasks/result", { taskId });
    expect((await client.cancel(taskId)).status).toBe("cancelled");
    expect((await waiting).code).toBe(-32603);
    expect(textOf(await client.call("generate", { prompt: "Hi", max_output_tokens: 8 }))).not.toBe("");
  });
});
