import { describe, expect, it } from "vitest";
import { TestLegacy } from "./test-legacy";
import type { Message } from "./test-streams";

const method = "notifications/tasks/status";
const related = "io.modelcontextprotocol/related-task";
const shown = ({ params }: Message) => [params.status, params.statusMessage];

describe("notifications/tasks/status", () => {
  it("tell the owner each status at once, with the whole task and no related task", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    await using stream = await agent.listen();
    const taskId = await agent.startTask("echo", { prompt: "Hi" });
    await host.engine.becomes(taskId, "running");
    host.finish();
    const last = await stream.next(({ params }) => params?.status === "completed");
    expect(last).toEqual({ jsonrpc: "2.0", method, params: await agent.task(taskId) });
    expect(last.params).not.toHaveProperty("_meta");
  });

  it("tell of a cancel once, and of nothing after it", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    await using stream = await agent.listen();
    const taskId = await agent.startTask("echo", { prompt: "Hi" });
    await host.engine.becomes(taskId, "running");
    await agent.ask("tasks/cancel", { taskId });
    await host.engine.becomes(taskId, "cancelled");
    host.engine.clock.advance(10_000);
    const next = await agent.startTask("echo", { prompt: "Ho" });
    host.finish();
    await stream.next(({ params }) => params?.taskId === next && params.status === "completed");
    const told = stream.messages.filter(({ params }) => params.taskId === taskId && params.status === "cancelled");
    expect(told).toHaveLength(1);
  });

  it("tell other words at most twice a second, and the last ones always", async () => {
    await using host = await TestLegacy.start({ model: { hold: ["tokens"], text: "a b c d e f g h" } });
    const agent = await host.agent();
    const taskId = await agent.startTask("echo", { prompt: "Hi" });
    await using stream = await agent.listen();
    await host.engine.becomes(taskId, "running");
    const tokens = () => host.engine.service.progress(host.engine.store.task(taskId) as never).tokens ?? 0;
    for (let count = 1; count <= 6; count += 1) {
      host.backend.release(1);
      await host.engine.until(() => {
        host.engine.clock.advance(50);
        return tokens() >= count;
      });
    }
    const at = host.engine.clock.now();
    host.engine.clock.advance(1_000);
    await stream.next(({ params }) => params?.statusMessage.startsWith("6 tokens"));
    const elapsed = (at + 1_000 - 1_000_000) / 500;
    expect(stream.messages.length).toBeLessThanOrEqual(elapsed + 2);
    expect(new Set(stream.messages.map(({ params }) => params.statusMessage)).size).toBe(stream.messages.length);
  });

  it("tell who waits in the queue of a new place", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    await using stream = await agent.listen();
    const ids: string[] = [];
    for (const prompt of ["a", "b", "c"]) ids.push(await agent.startTask("echo", { prompt }));
    expect((await agent.task(String(ids[2]))).statusMessage).toBe("second in the queue");
    await agent.ask("tasks/cancel", { taskId: ids[1] });
    host.engine.clock.advance(1_000);
    const told = await stream.next(({ params }) => params?.taskId === ids[2]);
    expect(shown(told)).toEqual(["working", "next in the queue"]);
  });

  it("tell nobody else, and nothing of plain calls", async () => {
    await using host = await TestLegacy.start({ model: { text: "done" } });
    const [agent, stranger] = [await host.agent(), await host.agent({ token: "second" })];
    await using stream = await agent.listen();
    const taskId = await stranger.startTask("echo", { prompt: "Hi" });
    await stranger.ask("tasks/result", { taskId });
    await agent.ask("tools/call", { name: "echo", arguments: { prompt: "Hi" } });
    const own = await agent.startTask("echo", { prompt: "Hi" });
    await stream.next(({ params }) => params?.status === "completed");
    expect(new Set(stream.messages.map(({ params }) => params.taskId))).toEqual(new Set([own]));
  });

  it("survive that their reader leaves at the same moment", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const stream = await agent.listen();
    const taskId = await agent.startTask("echo", { prompt: "Hi" });
    await host.engine.becomes(taskId, "running");
    void stream.drop();
    host.finish();
    await host.engine.becomes(taskId, "succeeded");
    await stream.end();
    await using again = await agent.listen();
    const next = await agent.startTask("echo", { prompt: "Hi" });
    await again.next(({ params }) => params?.taskId === next);
    expect(host.logged).toEqual([]);
  });
});

describe("notifications/progress", () => {
  it("come on the stream of a plain call that sent a token, without a task that nobody can see", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const params = { name: "echo", arguments: { prompt: "Hi" }, _meta: { progressToken: "p" } };
    await using stream = await agent.open("tools/call", params);
    await host.engine.until(() => host.engine.store.unfinished()[0]?.status === "running");
    host.engine.clock.advance(5_000);
    const first = await stream.method("notifications/progress");
    expect(first.params).toMatchObject({ progressToken: "p", message: "working" });
    expect(first.params).not.toHaveProperty("_meta");
    host.engine.clock.advance(5_000);
    const second = await stream.method("notifications/progress");
    expect(second.params.progress).toBeGreaterThan(first.params.progress);
    host.finish();
    await stream.answer();
  });

  it("come for the whole life of a task: on a waiting stream, else on the GET stream of its session", async () => {
    await using host = await TestLegacy.start();
    const [other, agent] = [await host.agent(), await host.agent()];
    await using get = await agent.listen();
    await using elsewhere = await other.listen();
    const taskId = await agent.startTask("echo", { prompt: "Hi" }, {}, { progressToken: 7 });
    await host.engine.becomes(taskId, "running");
    host.engine.clock.advance(5_000);
    const told = await get.method("notifications/progress");
    expect(told.params).toMatchObject({ progressToken: 7, _meta: { [related]: { taskId } } });
    await using waiting = await agent.open("tasks/result", { taskId });
    const before = get.messages.length;
    host.engine.clock.advance(5_000);
    const next = await waiting.method("notifications/progress");
    expect(next.params).toMatchObject({ progressToken: 7, _meta: { [related]: { taskId } } });
    const onGet = get.messages.slice(before).filter((message) => message.method === "notifications/progress");
    expect(onGet).toEqual([]);
    expect(elsewhere.messages.filter((message) => message.method === "notifications/progress")).toEqual([]);
    await waiting.drop();
    host.finish();
    await host.engine.becomes(taskId, "succeeded");
  });

  it("are dropped when nobody can hear them, and do not come unasked", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const asked = await agent.startTask("echo", { prompt: "Hi" }, {}, { progressToken: 7 });
    await host.engine.becomes(asked, "running");
    host.engine.clock.advance(60_000);
    await using get = await agent.listen();
    host.finish();
    await host.engine.becomes(asked, "succeeded");
    const unasked = await agent.startTask("echo", { prompt: "Hi" });
    await get.next(({ params }) => params?.taskId === unasked && params.status === "completed");
    const told = get.messages.filter(({ params }) => params._meta?.[related]?.taskId === unasked);
    expect(told).toEqual([]);
    expect(host.logged).toEqual([]);
  });
});
