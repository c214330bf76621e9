import { describe, expect } from "vitest";
import { z } from "zod";
import { it } from "../test";

const initialized = z.looseObject({ protocolVersion: z.string(), capabilities: z.record(z.string(), z.unknown()) });
const toolList = z.looseObject({
  tools: z.array(
    z.looseObject({
      name: z.string(),
      execution: z.strictObject({ taskSupport: z.enum(["required", "optional", "forbidden"]) }).optional(),
    }),
  ),
});

describe("capabilities (Capabilities)", () => {
  // Case 10: nothing of it under `experimental`.
  it("a server that takes task-augmented requests declares so at initialization", async ({ client }) => {
    const { protocolVersion, capabilities } = initialized.parse(client.server);
    expect(protocolVersion).toBe("2025-11-25");
    expect(capabilities.tasks).toEqual({ list: {}, cancel: {}, requests: { tools: { call: {} } } });
    expect(capabilities.experimental).toBeUndefined();
  });

  it("whoever declares tasks.list and tasks.cancel supports both operations", async ({ client, host }) => {
    const taskId = await client.start("hold", { label: "a" });
    expect((await client.list()).tasks).toHaveLength(1);
    expect((await client.cancel(taskId)).status).toBe("cancelled");
    expect(host.everyTask()).toHaveLength(1);
  });

  it.for([
    ["ping", {}],
    ["tools/list", {}],
    ["resources/list", {}],
    ["tasks/list", {}],
  ] as const)(
    "a receiver that declares no tasks for %s processes it normally and ignores the augmentation",
    async ([method, params], { client }) => {
      const plain = await client.request(method, params);
      const augmented = await client.request(method, { ...params, task: { ttl: 60_000 } });
      if (!("result" in plain) || !("result" in augmented)) throw new Error(`${method} is an error`);
      expect(augmented.result).toEqual(plain.result);
      expect((await client.list()).tasks).toEqual([]);
    },
  );

  it("a server augments no request to a client that did not declare tasks for it", async ({ host }) => {
    for (const tasks of [undefined, { requests: {} }, { requests: { sampling: { createMessage: {} } } }]) {
      const client = await host.client({
        capabilities: { elicitation: {}, ...(tasks === undefined ? {} : { tasks }) },
        listen: true,
      });
      const taskId = await client.start("ask", { label: "who" });
      void client.outcome(taskId).catch(() => undefined);
      const asked = await client.next("elicitation/create");
      expect(asked.params.task).toBeUndefined();
    }
  });
});

describe("negotiation by tool (Tool-Level Negotiation)", () => {
  it("each tool in tools/list says how it supports tasks: required, optional or forbidden", async ({ client }) => {
    const { tools } = await client.result(toolList, "tools/list");
    const support = Object.fromEntries(tools.map(({ name, execution }) => [name, execution?.taskSupport]));
    // Case 28: a client that knows no tasks can use every tool of the product.
    expect(support).toMatchObject({
      generate: "optional",
      summarize: "optional",
      batch: "optional",
      ask_person: "optional",
      list_models: "forbidden",
      hold: "optional",
      hold_required: "required",
      peek: "forbidden",
    });
  });

  // Case 7: the tool is not run.
  it("a forbidden tool called as a task is refused with -32601, before it runs", async ({ host, client }) => {
    const call = { name: "peek", arguments: { label: "a" }, task: {} };
    const error = await client.error("tools/call", call);
    expect(error).toMatchObject({ code: -32601, message: expect.stringContaining("peek") });
    expect(host.desk.runs("a")).toBe(0);
    expect((await client.list()).tasks).toEqual([]);
    expect((await client.error("tools/call", { name: "list_models", arguments: {}, task: {} })).code).toBe(-32601);
  });

  it("a forbidden tool called plainly answers at once", async ({ host, client }) => {
    expect(await client.call("peek", { label: "a" })).toMatchObject({ structuredContent: { label: "a" } });
    expect(host.desk.runs("a")).toBe(1);
  });

  it("an optional tool can be called as a task or as a normal request", async ({ host, client }) => {
    host.desk.open("a", 2);
    expect(await client.call("hold", { label: "a" })).toMatchObject({ content: [{ type: "text", text: "a" }] });
    const taskId = await client.start("hold", { label: "a" });
    expect(await client.outcome(taskId)).toMatchObject({ content: [{ type: "text", text: "a" }] });
  });

  // Case 8: an error of the protocol, not a result with isError.
  it("a required tool called without a task is refused with -32601", async ({ host, client }) => {
    const error = await client.error("tools/call", { name: "hold_required", arguments: { label: "a" } });
    expect(error).toMatchObject({ code: -32601, message: expect.stringMatching(/task/i) });
    expect(host.desk.runs("a")).toBe(0);
    expect(host.everyTask()).toEqual([]);
  });

  it("a required tool called as a task runs", async ({ host, client }) => {
    host.desk.open("a");
    expect(await client.outcome(await client.start("hold_required", { label: "a" }))).toMatchObject({
      content: [{ text: "a" }],
    });
  });

  it("an unknown tool is refused with -32602 and makes no task", async ({ client }) => {
    for (const task of [{}, { task: {} }]) {
      const error = await client.error("tools/call", { name: "no_such_tool", arguments: {}, ...task });
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("no_such_tool") });
    }
    expect((await client.list()).tasks).toEqual([]);
  });

  it("arguments that do not fit are told as a result with isError, plainly and as a task", async ({ client }) => {
    const plain = await client.call("hold", { label: 7 });
    expect(plain).toMatchObject({ isError: true, structuredContent: { code: "invalid_request" } });
    expect(plain.content[0]?.text).toMatch(/^invalid_request: label/);
    const { task } = await client.create("hold", { label: 7 });
    expect(task.status).toBe("working");
    expect(await client.outcome(task.taskId)).toMatchObject({ ...plain });
    expect(await client.task(task.taskId)).toMatchObject({
      status: "failed",
      statusMessage: expect.stringContaining("label"),
    });
  });
});
