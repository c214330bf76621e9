import { describe, expect } from "vitest";
import { it } from "../test";
import { relatedTask, relatedTaskOf, wireTask } from "../wire";

const related = (taskId: string) => ({ _meta: { [relatedTask]: { taskId } } });

describe("messages that belong to a task (Associating Task-Related Messages)", () => {
  it("the answer to the creating request says which task it belongs to", async ({ client }) => {
    const created = await client.create("hold", { label: "a" });
    expect(relatedTaskOf(created)).toBe(created.task.taskId);
  });

  it("an elicitation that a task depends on shares the id of the tool call's task", async ({ host }) => {
    const client = await host.client({ capabilities: { elicitation: {} } });
    const taskId = await client.start("ask", { label: "a" });
    void client.outcome(taskId).catch(() => undefined);
    const asked = await client.next("elicitation/create");
    expect(relatedTaskOf(asked.params)).toBe(taskId);
    expect(asked.params).toMatchObject({
      message: "a 0",
      requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    });
  });

  it("a sampling request and a question for roots of a task carry its id", async ({ host }) => {
    const client = await host.client({ capabilities: { sampling: {}, roots: {} } });
    for (const [tool, args, method] of [
      ["sample", { prompt: "Hi" }, "sampling/createMessage"],
      ["roots", {}, "roots/list"],
    ] as const) {
      const taskId = await client.start(tool, args);
      void client.outcome(taskId).catch(() => undefined);
      expect(relatedTaskOf((await client.next(method)).params)).toBe(taskId);
    }
  });

  it("the response of tasks/result carries the id, for a failed task too", async ({ client }) => {
    const taskId = await client.start("problem", { detail: "It fails." });
    expect(relatedTaskOf(await client.outcome(taskId))).toBe(taskId);
  });

  it("progress of a task carries its id", async ({ host }) => {
    const client = await host.client({ listen: true });
    const taskId = await client.start("count", { label: "a", total: 2 }, {}, { progressToken: "p" });
    host.desk.open("a");
    expect(relatedTaskOf((await client.next("notifications/progress")).params)).toBe(taskId);
  });

  // Case 5: such a request is answered like any other.
  it.for(["tasks/get", "tasks/result", "tasks/cancel"])(
    "%s takes its task from params.taskId and ignores the related task",
    async (method, { host, client }) => {
      const other = await client.start("hold", { label: "other" });
      const taskId = await client.start("hold", { label: "a" });
      host.desk.open("a");
      if (method !== "tasks/cancel") await client.until(taskId, "completed");
      for (const named of [taskId, other, "no_such_task"]) {
        const target = method === "tasks/cancel" ? await client.start("hold", { label: "b" }) : taskId;
        const answer = await client.request(method, { taskId: target, ...related(named) });
        if (!("result" in answer)) throw new Error(answer.error.message);
        if (method === "tasks/result") expect(relatedTaskOf(answer.result)).toBe(target);
        else expect(answer.result.taskId).toBe(target);
      }
      expect((await client.error(method, { taskId: "no_such_task", ...related(taskId) })).code).toBe(-32602);
      expect((await client.task(other)).status).toBe("working");
    },
  );

  it("any request with a related task is answered, even one that has nothing to do with tasks", async ({ client }) => {
    const taskId = await client.start("hold", { label: "a" });
    expect(await client.request("ping", related(taskId))).toHaveProperty("result");
    expect(await client.request("tools/list", related(taskId))).toHaveProperty("result");
    expect(await client.request("tasks/list", related(taskId))).toHaveProperty("result");
  });

  it("the answers of tasks/get, tasks/list and tasks/cancel carry no related task", async ({ client }) => {
    const taskId = await client.start("hold", { label: "a" });
    expect((await client.task(taskId))._meta ?? {}).not.toHaveProperty([relatedTask]);
    const list = await client.list();
    expect(list._meta ?? {}).not.toHaveProperty([relatedTask]);
    for (const task of list.tasks) expect(wireTask.parse(task)).not.toHaveProperty("_meta");
    expect((await client.cancel(taskId))._meta ?? {}).not.toHaveProperty([relatedTask]);
  });

  it("status notifications carry no related task", async ({ host }) => {
    const client = await host.client({ listen: true });
    const taskId = await client.start("hold", { label: "a" });
    await client.cancel(taskId);
    const { params } = await client.next("notifications/tasks/status", ({ params }) => params.taskId === taskId);
    expect(params._meta ?? {}).not.toHaveProperty([relatedTask]);
  });
});
