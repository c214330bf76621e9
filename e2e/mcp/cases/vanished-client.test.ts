import { describe, expect } from "vitest";
import { it, itWithClock } from "../test";

// Cases 32 and B94.
describe("a client that vanishes after it made a task", () => {
  it("leaves it where the person finds it and can stop it", async ({ host, client }) => {
    const taskId = await client.start("hold", { label: "a" });
    await client[Symbol.asyncDispose]();
    expect(host.seenAtTheDesktop(taskId)).toMatchObject({ id: taskId, client: "alice", listed: true });
    expect(host.seenAtTheDesktop(taskId).caller).toContain("raw-client");
    host.cancelAtTheDesktop(taskId);
    await host.eventually(() => host.seenAtTheDesktop(taskId).status === "cancelled");
    expect((await (await host.client()).task(taskId)).statusMessage).toContain("cancelled by the person");
  });

  it("finds it again by its list, in a new session, and after a restart", async ({ host, client }) => {
    const taskId = await client.start("hold", { label: "a" });
    await client[Symbol.asyncDispose]();
    expect((await (await host.client()).list()).tasks.map((task) => task.taskId)).toEqual([taskId]);
    await using after = await host.restart();
    expect((await (await after.client()).list()).tasks.map((task) => task.taskId)).toEqual([taskId]);
  });

  itWithClock("does not occupy the host for ever when it gave a ttl", async ({ host, client, clock }) => {
    const taskId = await client.start("generate", { prompt: "Write.", model: "held" }, { ttl: 60_000 });
    await host.eventually(async () => (await host.backend.stats()).generating === 1);
    await client[Symbol.asyncDispose]();
    clock.advance(60_000);
    await host.eventually(async () => (await host.backend.stats()).generating === 0);
    await host.eventually(() => host.seenAtTheDesktop(taskId).status === "cancelled");
    clock.advance(60_000);
    await host.eventually(() => host.everyTask().length === 0);
  });
});
