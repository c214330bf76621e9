import { describe, expect } from "vitest";
import type { RawClient } from "../raw-client";
import { it } from "../test";
import { toldTask, type WireStatus } from "../wire";

const paths: Readonly<Record<WireStatus, readonly WireStatus[]>> = {
  working: ["input_required", "completed", "failed", "cancelled"],
  input_required: ["working", "completed", "failed", "cancelled"],
  completed: [],
  failed: [],
  cancelled: [],
};

/** The statuses that the client was told of a task, each once for as long as it lasted; throws for an illegal step. */
function toldPath(client: RawClient, taskId: string): WireStatus[] {
  const told = client
    .receivedOf("notifications/tasks/status")
    .map(({ params }) => toldTask.parse(params))
    .filter((task) => task.taskId === taskId);
  const path: WireStatus[] = ["working"];
  for (const { status } of told) {
    const last = path.at(-1) ?? "working";
    if (status === last) continue;
    if (!paths[last].includes(status)) throw new Error(`${last} -> ${status}`);
    path.push(status);
  }
  return path;
}

const toldOf =
  (taskId: string, status: WireStatus) => (received: { readonly params: Readonly<Record<string, unknown>> }) =>
    received.params.taskId === taskId && received.params.status === status;

describe("life cycle (Task Status Lifecycle)", () => {
  it("a task begins in working", async ({ client }) => {
    for (const [tool, args] of [
      ["hold", { label: "a" }],
      ["ask", { label: "a" }],
      ["generate", { prompt: "Write." }],
      ["problem", { detail: "It fails at once." }],
    ] as const) {
      expect((await client.create(tool, args)).task.status).toBe("working");
    }
  });

  it("from working a task moves to completed", async ({ host }) => {
    const client = await host.client({ listen: true });
    const taskId = await client.start("hold", { label: "a" });
    host.desk.open("a");
    await client.next("notifications/tasks/status", toldOf(taskId, "completed"));
    expect(toldPath(client, taskId)).toEqual(["working", "completed"]);
  });

  it("from working a task moves to failed", async ({ host }) => {
    const client = await host.client({ listen: true });
    const taskId = await client.start("problem", { detail: "It fails." });
    await client.next("notifications/tasks/status", toldOf(taskId, "failed"));
    expect(toldPath(client, taskId)).toEqual(["working", "failed"]);
  });

  it("from working a task moves to cancelled", async ({ host }) => {
    const client = await host.client({ listen: true });
    const taskId = await client.start("hold", { label: "a" });
    await client.cancel(taskId);
    await client.next("notifications/tasks/status", toldOf(taskId, "cancelled"));
    expect(toldPath(client, taskId)).toEqual(["working", "cancelled"]);
  });

  it("from working a task moves to input_required, from there back to working, and on to completed", async ({
    host,
  }) => {
    const client = await host.client({ listen: true, capabilities: { elicitation: {} } });
    const taskId = await client.start("ask", { label: "a" });
    const outcome = client.outcome(taskId);
    const asked = await client.next("elicitation/create");
    await client.answer(asked.id, { action: "accept", content: { name: "Ada" } });
    await client.until(taskId, "working");
    host.desk.open("a");
    await outcome;
    await client.next("notifications/tasks/status", toldOf(taskId, "completed"));
    expect(toldPath(client, taskId)).toEqual(["working", "input_required", "working", "completed"]);
  });

  it("from input_required a task moves to cancelled", async ({ host }) => {
    const client = await host.client({ listen: true, capabilities: { elicitation: {} } });
    const taskId = await client.start("ask", { label: "a" });
    await client.until(taskId, "input_required");
    expect((await client.cancel(taskId)).status).toBe("cancelled");
    await client.next("notifications/tasks/status", toldOf(taskId, "cancelled"));
    expect(toldPath(client, taskId)).toEqual(["working", "input_required", "cancelled"]);
  });

  it.for([
    ["completed", "hold", { label: "a" }],
    ["failed", "problem", { detail: "It fails." }],
    ["cancelled", "hold", { label: "b" }],
  ] as const)("a task that is %s moves to no other status", async ([status, tool, args], { host, client }) => {
    host.desk.open("a");
    const taskId = await client.start(tool, args);
    if (status === "cancelled") await client.cancel(taskId);
    const ended = await client.until(taskId, status);
    await client.request("tasks/cancel", { taskId });
    await client.request("tasks/result", { taskId });
    host.desk.open("b", 5);
    const after = await host.restart();
    try {
      expect(await (await after.client()).task(taskId)).toEqual(ended);
    } finally {
      await after[Symbol.asyncDispose]();
    }
  });
});
