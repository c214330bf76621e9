import { describe, expect } from "vitest";
import { it, itWithClock } from "../test";
import { textOf } from "../wire";

describe("one task, seen by both generations", () => {
  it("a task of either is found by the other, with the same words and times", async ({ host, client }) => {
    const modern = host.modern();
    for (const taskId of [await client.start("hold", { label: "a" }), await modern.start("hold", { label: "b" })]) {
      const old = await client.task(taskId);
      const now = await modern.task(taskId);
      expect([now.taskId, now.status, now.createdAt, now.ttlMs]).toEqual([
        old.taskId,
        old.status,
        old.createdAt,
        old.ttl,
      ]);
    }
  });

  // Cases 1 and 16: a tool that fails is `failed` in one and `completed` in the other.
  it("each generation has its own word for a tool that failed, over the same result", async ({ host, client }) => {
    const taskId = await client.start("problem", { detail: "It fails." });
    await client.until(taskId, "failed");
    const modern = await host.modern().task(taskId);
    expect(modern.status).toBe("completed");
    const { _meta, ...outcome } = await client.outcome(taskId);
    const { _meta: _own, ...result } = modern.result ?? { content: [] };
    expect(result).toEqual({ resultType: "complete", ...outcome });
  });

  it("a question asked of one is answered by the other: the first answer wins", async ({ host }) => {
    const client = await host.client({ capabilities: { elicitation: {} } });
    const modern = host.modern();
    const taskId = await client.start("ask", { label: "a" });
    const [key = ""] = Object.keys((await modern.until(taskId, "input_required")).inputRequests ?? {});
    await modern.acknowledged("tasks/update", {
      taskId,
      inputResponses: { [key]: { action: "accept", content: { name: "Ada" } } },
    });
    host.desk.open("a");
    expect(textOf(await client.outcome(taskId))).toContain("Ada");
    expect(client.receivedOf("elicitation/create")).toEqual([]);
  });

  it("a cancel by one is seen by the other at once", async ({ host, client }) => {
    const modern = host.modern();
    const taskId = await client.start("generate", { prompt: "Write.", model: "deaf" });
    await host.eventually(() => host.seenAtTheDesktop(taskId).status === "running");
    await modern.acknowledged("tasks/cancel", { taskId });
    const old = await client.task(taskId);
    const now = await modern.task(taskId);
    expect([old.status, now.status]).toEqual(["cancelled", "cancelled"]);
    expect(now.lastUpdatedAt).toBe(old.lastUpdatedAt);
    host.backend.release(10);
  });

  it("what LMSP makes is an MCP task whose result is what generate would have returned", async ({ host, client }) => {
    const { id } = await host.lmsp().create("Write.");
    await client.until(id, "completed");
    const { _meta, ...outcome } = await client.outcome(id);
    expect(outcome).toEqual(await client.call("generate", { prompt: "Write." }));
    expect((await host.modern().task(id)).result?.content).toEqual(outcome.content);
  });

  it("what MCP makes by generate is an LMSP task; what LMSP has no word for is unknown there", async ({
    host,
    client,
  }) => {
    const generated = await client.start("generate", { prompt: "Write." });
    await client.until(generated, "completed");
    expect((await host.lmsp().task(generated)).status).toBe("succeeded");
    const held = await client.start("hold", { label: "a" });
    expect((await host.lmsp().request(`/tasks/${held}`)).status).toBe(404);
  });

  // Case 14 for both.
  itWithClock("after its ttl a task is unknown to both", async ({ host, client, clock }) => {
    const modern = host.modern();
    host.desk.open("a");
    const taskId = await client.start("hold", { label: "a" }, { ttl: 1_000 });
    await client.until(taskId, "completed");
    expect((await modern.task(taskId)).ttlMs).toBe(1_000);
    clock.advance(1_000 + 60_000);
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"])
      expect((await modern.error(method, { taskId, inputResponses: {} })).code).toBe(-32602);
    for (const method of ["tasks/get", "tasks/result", "tasks/cancel"])
      expect((await client.error(method, { taskId })).code).toBe(-32602);
  });

  // Case 17.
  it("a plain call of either whose caller goes away stops its work and leaves nothing behind", async ({
    host,
    client,
  }) => {
    const params = { name: "generate", arguments: { prompt: "Write.", model: "held" } };
    for (const call of [
      (signal: AbortSignal) => client.request("tools/call", params, signal),
      (signal: AbortSignal) => host.modern({}).request("tools/call", params, { signal }),
    ]) {
      const leaving = new AbortController();
      const answer = call(leaving.signal);
      await host.eventually(async () => (await host.backend.stats()).generating === 1);
      leaving.abort();
      await expect(answer).rejects.toThrow();
      await host.eventually(async () => (await host.backend.stats()).generating === 0);
    }
    await host.eventually(() => host.everyTask().every(({ status }) => status === "cancelled"));
    expect(host.everyTask()).toHaveLength(2);
  });
});
