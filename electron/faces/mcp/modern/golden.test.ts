import {
  CreateTaskResultV2Schema,
  GetTaskResultV2Schema,
  InputRequiredCallToolResultV2Schema,
  TaskStatusNotificationV2Schema,
  UpdateTaskResultV2Schema,
} from "@modelcontextprotocol/ext-tasks/core/v2";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { TestModern } from "./test-modern";
import { type ModernAgent, withForms, withTasks } from "./test-modern-agent";

const form = {
  type: "form",
  message: "Enter a name",
  schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};

/** The message, with names in the place of what is new each time; its result is as the extension's own schema says. */
async function expectGolden(name: string, message: object, schema?: z.ZodType): Promise<void> {
  if (schema !== undefined)
    expect(schema.safeParse("result" in message && message.result)).toMatchObject({ success: true });
  const text = JSON.stringify(message, null, 2)
    .replaceAll(/task_[0-9A-Z]{26}/g, "TASK")
    .replaceAll(/q_[0-9A-Z]{26}/g, "QUESTION")
    .replaceAll(/"v1\.[^"]+"/g, '"STATE"');
  await expect(`${text}\n`).toMatchFileSnapshot(`${import.meta.dirname}/golden/${name}.json`);
}

describe("the wire format of 2026-07-28, by its golden files", () => {
  it("of what the server says of itself", async () => {
    await using host = await TestModern.start();
    const agent = host.agent();
    await expectGolden("discover", await agent.ask("server/discover"));
    await expectGolden("tools-list", await agent.ask("tools/list"));
    await expectGolden("resources-list", await agent.ask("resources/list"));
    await expectGolden("resource-templates-list", await agent.ask("resources/templates/list"));
  });

  it("of a task from its beginning to its end", async () => {
    await using host = await TestModern.start();
    const agent = host.agent(withTasks);
    const created = await agent.call("echo", { prompt: "Hi" });
    await expectGolden("task-created", created, CreateTaskResultV2Schema);
    const { taskId } = created.result;
    await host.engine.becomes(taskId, "running");
    await expectGolden("task-working", await agent.ask("tasks/get", { taskId }), GetTaskResultV2Schema);
    host.finish();
    await host.engine.becomes(taskId, "succeeded");
    await expectGolden("task-completed", await agent.ask("tasks/get", { taskId }), GetTaskResultV2Schema);
    await expectGolden("resource", await agent.ask("resources/read", { uri: `simmer://tasks/${taskId}` }));
  });

  it("of a task that asks, and of the answer to it", async () => {
    await using host = await TestModern.start();
    const agent = host.agent({ ...withTasks, ...withForms });
    const taskId = await agent.start("ask", { questions: [form] });
    await host.engine.becomes(taskId, "input_required");
    const asked = await agent.ask("tasks/get", { taskId });
    await expectGolden("task-input-required", asked, GetTaskResultV2Schema);
    const [key = ""] = Object.keys(asked.result.inputRequests);
    const inputResponses = { [key]: { action: "accept", content: { name: "Ada" } } };
    await expectGolden(
      "acknowledged",
      await agent.ask("tasks/update", { taskId, inputResponses }),
      UpdateTaskResultV2Schema,
    );
  });

  it("of every other end of a task", async () => {
    await using host = await TestModern.start();
    const agent = host.agent(withTasks);
    const ended = async (name: string, questions: unknown[]) => {
      const taskId = await agent.start("ask", { questions });
      await host.engine.becomes(taskId, "failed");
      await expectGolden(name, await agent.ask("tasks/get", { taskId }), GetTaskResultV2Schema);
    };
    await ended("task-failed-tool", [form]);
    await ended("task-failed", [null]);
    host.engine.bugs.length = 0;
    const taskId = await agent.start("echo", { prompt: "Hi" });
    await agent.ask("tasks/cancel", { taskId });
    await expectGolden("task-cancelled", await agent.ask("tasks/get", { taskId }), GetTaskResultV2Schema);
  });

  it("of a subscription to a task", async () => {
    await using host = await TestModern.start();
    const agent = host.agent(withTasks);
    const taskId = await agent.start("echo", { prompt: "Hi" });
    await agent.ask("tasks/cancel", { taskId });
    const params = { notifications: { taskIds: [taskId] } };
    const stream = await agent.open("subscriptions/listen", { params, id: "L1" });
    await stream.end();
    const [, notification] = stream.messages;
    expect(TaskStatusNotificationV2Schema.safeParse(notification)).toMatchObject({ success: true });
    await expectGolden("subscription", stream.messages);
  });

  it("of a plain call, of what it asks, and of its failures", async () => {
    await using host = await TestModern.start();
    const agent: ModernAgent = host.agent(withForms);
    await expectGolden(
      "call-input-required",
      await agent.call("ask", { questions: [form] }),
      InputRequiredCallToolResultV2Schema,
    );
    await expectGolden("call-invalid-arguments", await agent.call("echo", {}));
    await expectGolden("call-needs-tasks", await agent.call("long_echo", { prompt: "Hi" }));
    await expectGolden("task-not-found", await host.agent(withTasks).ask("tasks/get", { taskId: "nothing" }));
    host.finish();
    await expectGolden("call-result", await agent.call("echo", { prompt: "Hi" }));
  });
});
