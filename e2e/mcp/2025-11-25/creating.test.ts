import { describe, expect } from "vitest";
import { it } from "../test";
import { relatedTaskOf } from "../wire";

describe("creating tasks (Creating Tasks)", () => {
  it("a normal request is answered by the result of the operation itself", async ({ client }) => {
    const result = await client.call("generate", { prompt: "Write." });
    expect(result).toMatchObject({ content: [{ type: "text", text: "This text was written by a script." }] });
    expect(relatedTaskOf(result)).toBeUndefined();
  });

  it("an augmented request is answered at once by the task, while the work has not even begun", async ({
    host,
    client,
  }) => {
    // No token is let through: an answer that waited for the text would never come.
    const { task } = await client.create("generate", { prompt: "Write.", model: "held" });
    expect(task.status).toBe("working");
    host.backend.release(7);
    expect((await client.outcome(task.taskId)).content[0]?.text).toBe("one two three four five six");
  });

  it("the answer holds the task and not the result of the operation", async ({ host, client }) => {
    host.desk.open("a");
    const answer = await client.request("tools/call", { name: "hold", arguments: { label: "a" }, task: {} });
    if (!("result" in answer)) throw new Error("an error");
    expect(Object.keys(answer.result).sort()).toEqual(["_meta", "task"]);
  });

  it("a task can be asked for with a ttl in milliseconds, or without", async ({ client }) => {
    expect((await client.create("hold", { label: "a" }, { ttl: 60_000 })).task.ttl).toBe(60_000);
    expect((await client.create("hold", { label: "a" }, {})).task.ttl).toBeNull();
  });

  it("the answer tells the model in a string what happens meanwhile", async ({ client }) => {
    const { task, _meta } = await client.create("hold", { label: "a" });
    expect(_meta?.["io.modelcontextprotocol/model-immediate-response"]).toEqual(expect.stringContaining(task.taskId));
  });

  it.for([[true], ["5"], [7], [null], [[]], [{ ttl: "5" }], [{ ttl: null }], [{ ttl: -5 }], [{ ttl: {} }]])(
    "an augmentation of another form is refused with -32602 and makes no task: %j",
    async ([task], { host, client }) => {
      const error = await client.error("tools/call", { name: "hold", arguments: { label: "a" }, task });
      expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/task/i) });
      expect(host.desk.runs("a")).toBe(0);
      expect(host.everyTask()).toEqual([]);
    },
  );
});

describe("ids of tasks (Task ID Requirements)", () => {
  it("the id of a task is a string", async ({ client }) => {
    expect((await client.create("hold", { label: "a" })).task.taskId).toEqual(expect.any(String));
  });

  it("the receiver makes the id when it creates the task, whatever the requestor proposes", async ({ client }) => {
    const task = { taskId: "mine", id: "mine" };
    const created = await client.create("hold", { label: "a" }, task);
    expect(created.task.taskId).not.toBe("mine");
    expect((await client.error("tasks/get", { taskId: "mine" })).code).toBe(-32602);
  });

  // Case 19: the id that is told is the one that is stored.
  it("the id that was told can be used at once", async ({ client }) => {
    for (let times = 0; times < 10; times += 1) {
      const { task } = await client.create("hold", { label: "a" });
      expect((await client.task(task.taskId)).taskId).toBe(task.taskId);
    }
  });

  it("an id is unique among all tasks of the receiver, whoever made them", async ({ host, client }) => {
    const bob = await host.client({}, "bob");
    const ids = await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 ? client : bob).start("hold", { label: "a" })),
    );
    expect(new Set(ids).size).toBe(100);
  });

  // Security considerations: no id is a credential here, yet none can be guessed from another.
  it("an id holds enough random bits that nobody guesses one", async ({ client }) => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => client.start("hold", { label: "a" })));
    const randomParts = ids.map((id) => id.slice(-16));
    expect(new Set(randomParts.map((part) => part.slice(0, 8))).size).toBe(20);
    expect(new Set(randomParts.map((part) => part.slice(8))).size).toBe(20);
  });
});
