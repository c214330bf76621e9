import { type CallToolResult, inputRequired, type ServerContext } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import type { ExtraTool, McpExtra } from "../registration";
import { echoTool } from "../tools/test-tools";
import { TestLegacy } from "./test-legacy";

const text = (said: string): CallToolResult => ({ content: [{ type: "text", text: said }] });

function extraTool(
  name: string,
  call: ExtraTool["call"],
  taskSupport: ExtraTool["taskSupport"] = "forbidden",
): ExtraTool {
  return { definition: { name, inputSchema: { type: "object" } }, taskSupport, call };
}

const extra: McpExtra = {
  capabilities: { logging: {}, prompts: {} },
  tools: [
    extraTool("logging", async (_args, { mcpReq }) => {
      await mcpReq.log("debug", "unheard");
      await mcpReq.log("warning", "heard");
      return text("logged");
    }),
    extraTool("asking", async (_args, context: ServerContext) => {
      const { action } = await context.mcpReq.elicitInput({
        message: "Sure?",
        requestedSchema: { type: "object", properties: {} },
      });
      return text(action);
    }),
    extraTool("rounds", async (_args, { mcpReq }) => {
      if (mcpReq.inputResponses === undefined) {
        const params = { message: "Sure?", requestedSchema: { type: "object" as const, properties: {} } };
        return inputRequired({ inputRequests: { sure: inputRequired.elicit(params) } });
      }
      return text(JSON.stringify(mcpReq.inputResponses));
    }),
    extraTool("going_on", async (args) => ({ continuesAs: echoTool, args }), "optional"),
    extraTool("needs_task", async () => text("never"), "required"),
  ],
  resources: {
    resources: [{ uri: "test://one", name: "one" }],
    templates: [{ uriTemplate: "test://{id}", name: "any" }],
    read: (uri) => (uri === "test://one" ? { contents: [{ uri, text: "1" }] } : undefined),
  },
  handlers: { "prompts/list": async () => ({ prompts: [{ name: "greet" }] }) },
};

describe("what a composition adds", () => {
  it("is declared, listed and answered", async () => {
    await using host = await TestLegacy.start({ registration: { extra } });
    const agent = await host.agent();
    const { tools } = (await agent.ask("tools/list")).result;
    expect(tools.find(({ name }: { name: string }) => name === "needs_task").execution).toEqual({
      taskSupport: "required",
    });
    expect((await agent.ask("prompts/list")).result).toEqual({ prompts: [{ name: "greet" }] });
    expect((await agent.ask("resources/list")).result.resources).toEqual([{ uri: "test://one", name: "one" }]);
    expect((await agent.ask("resources/templates/list")).result.resourceTemplates).toHaveLength(2);
    const read = await agent.ask("resources/read", { uri: "test://one" });
    expect(read.result.contents).toEqual([{ uri: "test://one", text: "1" }]);
    expect((await agent.ask("completion/complete")).error.code).toBe(-32_601);
  });

  it("logs on the stream of its call, at the level that was asked for", async () => {
    await using host = await TestLegacy.start({ registration: { extra } });
    const agent = await host.agent();
    expect((await agent.ask("logging/setLevel", { level: "warning" })).result).toEqual({});
    const stream = await agent.open("tools/call", { name: "logging" });
    await stream.answer();
    expect(stream.messages.map(({ method, params }) => [method, params?.data])).toEqual([
      ["notifications/message", "heard"],
      [undefined, undefined],
    ]);
  });

  it.each(["asking", "rounds"])("asks on the stream of its call: %s", async (name) => {
    await using host = await TestLegacy.start({ registration: { extra } });
    const agent = await host.agent({ capabilities: { elicitation: {} } });
    await using stream = await agent.open("tools/call", { name, arguments: {} });
    const request = await stream.method("elicitation/create");
    await agent.respond(request.id, { action: "decline" });
    expect((await stream.answer()).result.content[0].text).toContain("decline");
  });

  it("goes on as a task of the engine, plain or as a task", async () => {
    await using host = await TestLegacy.start({ registration: { extra }, model: { text: "done" } });
    const agent = await host.agent();
    const args = { prompt: "Hi" };
    expect((await agent.ask("tools/call", { name: "going_on", arguments: args })).result).toEqual(text("done"));
    const taskId = await agent.startTask("going_on", args);
    expect((await agent.ask("tasks/result", { taskId })).result.content).toEqual(text("done").content);
    expect((await agent.ask("tools/call", { name: "needs_task" })).error.code).toBe(-32_601);
    expect((await agent.callTask("logging", {})).error.code).toBe(-32_601);
  });
});
