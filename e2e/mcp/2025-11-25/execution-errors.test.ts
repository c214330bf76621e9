import { describe, expect } from "vitest";
import { it } from "../test";

describe("task execution errors (Task Execution Errors)", () => {
  // Case 1: the stored result is not lost.
  it("a tool call whose result has isError is a failed task, and tasks/result has that result", async ({ client }) => {
    const taskId = await client.start("problem", { detail: "The file is cut short. Fetch it again." });
    await client.until(taskId, "failed");
    const outcome = await client.outcome(taskId);
    expect(outcome).toMatchObject({
      content: [{ type: "text", text: "model_load_failed: The file is cut short. Fetch it again." }],
      structuredContent: { code: "model_load_failed" },
      isError: true,
    });
  });

  it("a failed task's statusMessage says what went wrong", async ({ client }) => {
    const taskId = await client.start("problem", { detail: "The file is cut short. Fetch it again." });
    const failed = await client.until(taskId, "failed");
    expect(failed.statusMessage).toContain("The file is cut short");
    expect((await client.list()).tasks[0]?.statusMessage).toBe(failed.statusMessage);
  });

  it("what a failed task answers is exactly what the plain call answers", async ({ client }) => {
    const args = { detail: "It fails." };
    const plain = await client.call("problem", args);
    const { _meta, ...outcome } = await client.outcome(await client.start("problem", args));
    expect(outcome).toEqual(plain);
  });

  it("a request that results in a JSON-RPC error is a failed task, and tasks/result is the same error", async ({
    client,
  }) => {
    const plain = await client.error("tools/call", { name: "bug", arguments: {} });
    const taskId = await client.start("bug");
    const failed = await client.until(taskId, "failed");
    expect(failed.statusMessage).toEqual(expect.stringMatching(/\w/));
    const first = await client.error("tasks/result", { taskId });
    expect(first).toEqual(plain);
    expect(await client.error("tasks/result", { taskId })).toEqual(first);
  });

  it("a waiting tasks/result gets the error too", async ({ client }) => {
    const taskId = await client.start("bug");
    expect((await client.error("tasks/result", { taskId })).code).toBe(-32603);
  });

  it("the model that cannot be loaded fails the task and is named", async ({ client }) => {
    const args = { prompt: "Write.", model: "broken" };
    const taskId = await client.start("generate", args);
    await client.until(taskId, "failed");
    const { _meta, ...outcome } = await client.outcome(taskId);
    expect(outcome).toMatchObject({ isError: true, structuredContent: { code: "model_load_failed" } });
    expect(outcome).toEqual(await client.call("generate", args));
  });

  it("a model that is not installed fails the task, the same as the plain call", async ({ client }) => {
    const args = { prompt: "Write.", model: "no-such-model" };
    const plain = await client.call("generate", args);
    expect(plain).toMatchObject({ isError: true, structuredContent: { code: "model_not_found" } });
    const { task } = await client.create("generate", args);
    expect(task.status).toBe("working");
    expect((await client.until(task.taskId, "failed")).statusMessage).toContain("no-such-model");
    const { _meta, ...outcome } = await client.outcome(task.taskId);
    expect(outcome).toEqual(plain);
  });

  it("a prompt that is too long fails the task with context_length_exceeded", async ({ client }) => {
    const args = { prompt: "word ".repeat(5_000) };
    const taskId = await client.start("generate", args);
    await client.until(taskId, "failed");
    expect((await client.outcome(taskId)).structuredContent).toEqual({ code: "context_length_exceeded" });
  });

  it("a restart of the host goes on with what it interrupts, and keeps what had failed", async ({ host, client }) => {
    const interrupted = await client.start("hold", { label: "a" });
    const failed = await client.start("problem", { detail: "It fails." });
    await client.until(failed, "failed");
    const before = await client.outcome(failed);
    await using after = await host.restart();
    const again = await after.client();
    expect(await again.outcome(failed)).toEqual(before);
    after.desk.open("a");
    await again.until(interrupted, "completed");
    expect(await again.outcome(interrupted)).not.toHaveProperty("isError");
  });
});
