import { describe, expect } from "vitest";
import { it } from "../test";

const badIds = [
  undefined,
  null,
  7,
  true,
  {},
  [],
  "",
  "no_such_task",
  "task_01J8M8R5X3V7B2N4Q9T1W6Y0ZC",
  "x".repeat(5_000),
];

describe("protocol errors (Protocol Errors)", () => {
  it.for(["tasks/get", "tasks/result", "tasks/cancel"])(
    "an invalid or nonexistent taskId in %s is -32602",
    async (method, { client }) => {
      for (const taskId of badIds) {
        const error = await client.error(method, taskId === undefined ? {} : { taskId });
        expect([taskId, error.code]).toEqual([taskId, -32602]);
        expect(error.message).toMatch(/task/i);
      }
      const { answer } = await client.post({ method });
      expect(answer).toHaveProperty("error.code", -32602);
    },
  );

  it("an invalid or nonexistent cursor in tasks/list is -32602", async ({ host, client }) => {
    const bob = await host.client({}, "bob");
    for (let count = 0; count < 51; count += 1) await bob.start("hold", { label: "a" });
    const theirs = (await bob.list()).nextCursor;
    expect(theirs).toEqual(expect.any(String));
    const tampered = `${theirs?.slice(0, -1)}${theirs?.endsWith("A") ? "B" : "A"}`;
    for (const cursor of [7, null, {}, "", "0", "no such cursor", "a".repeat(5_000), theirs]) {
      const error = await client.error("tasks/list", { cursor });
      expect([cursor, error.code]).toEqual([cursor, -32602]);
      expect(error.message).toMatch(/cursor/i);
    }
    expect((await bob.error("tasks/list", { cursor: tampered })).code).toBe(-32602);
  });

  it("the cancel of a task in a terminal status is -32602", async ({ host, client }) => {
    host.desk.open("a");
    const taskId = await client.start("hold", { label: "a" });
    await client.until(taskId, "completed");
    expect((await client.error("tasks/cancel", { taskId })).code).toBe(-32602);
  });

  it("an error of our own is -32603 and tells nothing of its inner reason", async ({ client }) => {
    const error = await client.error("tools/call", { name: "bug", arguments: {} });
    expect(error.code).toBe(-32603);
    expect(JSON.stringify(error)).not.toContain("inner reason");
  });

  it("an error message says what is wrong", async ({ client }) => {
    const unknown = await client.error("tasks/get", { taskId: "no_such_task" });
    expect(unknown.message).toBe("Failed to retrieve task: Task not found");
    expect((await client.error("tasks/result", { taskId: "no_such_task" })).message).toMatch(/Task not found/);
    expect((await client.error("tasks/cancel", { taskId: "no_such_task" })).message).toMatch(/Task not found/);
    const malformed = await client.error("tools/call", { name: "hold", arguments: { label: "a" }, task: { ttl: "x" } });
    expect(malformed.message).toMatch(/ttl/);
  });

  it("a method that nobody knows is -32601", async ({ client }) => {
    for (const method of ["tasks/update", "tasks/delete", "subscriptions/listen", "no/such"])
      expect([method, (await client.error(method, { taskId: "x" })).code]).toEqual([method, -32601]);
  });
});
