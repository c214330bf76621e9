import { describe, expect, it } from "vitest";
import { TestLegacy } from "./test-legacy";
import type { TestStream } from "./test-streams";

const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

describe("waiting for a result", () => {
  it("costs no timers, and one event reaches 200 who wait", async () => {
    await using host = await TestLegacy.start();
    const agents = await Promise.all([host.agent(), host.agent()]);
    const taskId = await agents[0].startTask("echo", { prompt: "Hi" });
    await host.engine.becomes(taskId, "running");
    const before = timers();
    const waiting = await Promise.all(
      Array.from({ length: 200 }, (_, index) => agents[index % 2]?.open("tasks/result", { taskId })),
    );
    await host.engine.until(() => true);
    expect(timers() - before).toBeLessThanOrEqual(2);
    host.finish();
    const answers = await Promise.all(waiting.map((stream) => stream?.answer()));
    expect(new Set(answers.map(({ result }) => result.content[0].text))).toEqual(new Set(["one two three"]));
    expect(host.logged).toEqual([]);
  });

  it("goes on alone when its caller leaves: the task runs, the others wait, and it can be asked again", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const taskId = await agent.startTask("echo", { prompt: "Hi" });
    await host.engine.becomes(taskId, "running");
    const leaving = await agent.open("tasks/result", { taskId });
    await using staying = await agent.open("tasks/result", { taskId });
    const requestId = agent.nextId;
    await using cancelled = await agent.open("tasks/result", { taskId });
    await leaving.drop();
    await agent.notify("notifications/cancelled", { requestId });
    await cancelled.end();
    expect(cancelled.messages).toEqual([]);
    expect((await agent.task(taskId)).status).toBe("working");
    await using again = await agent.open("tasks/result", { taskId });
    host.finish();
    for (const stream of [staying, again]) expect((await stream.answer()).result.content[0].text).toBe("one two three");
    expect(host.logged).toEqual([]);
  });

  it("ends when the task is deleted", async () => {
    await using host = await TestLegacy.start();
    const agent = await host.agent();
    const taskId = await agent.startTask("echo", { prompt: "Hi" });
    await using waiting = await agent.open("tasks/result", { taskId });
    await host.engine.becomes(taskId, "running");
    const task = host.engine.store.task(taskId);
    if (task === undefined) throw new Error("It was just made");
    await agent.ask("tasks/cancel", { taskId });
    expect((await waiting.answer()).error.code).toBe(-32_603);
    await host.engine.becomes(taskId, "cancelled");
    host.engine.ledger.remove(task);
    expect((await agent.ask("tasks/result", { taskId })).error.code).toBe(-32_602);
  });

  it("is limited for each client, and a place becomes free again", async () => {
    await using host = await TestLegacy.start({ settings: { "limits.waiting_results": 2 } });
    const agent = await host.agent();
    const stranger = await host.agent({ token: "second" });
    const taskId = await agent.startTask("echo", { prompt: "Hi" });
    const streams: TestStream[] = [];
    for (let count = 0; count < 2; count += 1) streams.push(await agent.open("tasks/result", { taskId }));
    expect((await agent.ask("tasks/result", { taskId })).error).toMatchObject({
      code: -32_603,
      data: { code: "rate_limited", retryAfter: 1 },
    });
    const quick = await agent.startTask("ask", { questions: [{ type: "roots" }] });
    await host.engine.becomes(quick, "failed");
    expect((await agent.ask("tasks/result", { taskId: quick })).result.isError).toBe(true);
    const other = await stranger.startTask("echo", { prompt: "Hi" });
    await using _waiting = await stranger.open("tasks/result", { taskId: other });
    host.finish();
    for (const stream of streams) await stream.answer();
    expect((await agent.ask("tasks/result", { taskId })).result.content).toHaveLength(1);
  });
});
