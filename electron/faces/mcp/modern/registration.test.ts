import { inputRequired, type ServerContext } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import type { ExtraTool, McpExtra } from "../registration";
import { echoTool } from "../tools/test-tools";
import { TestModern } from "./test-modern";
import { withForms, withTasks } from "./test-modern-agent";

const inputSchema = { type: "object" } as const;
const picture = { type: "image", data: "AAAA", mimeType: "image/png" } as const;

const pictureTool: ExtraTool = {
  definition: { name: "picture", inputSchema },
  taskSupport: "forbidden",
  call: async () => ({ content: [picture] }),
};

/** Asks for a name in a round of its own, then goes on as a task. */
const greetTool: ExtraTool = {
  definition: { name: "greet", inputSchema },
  taskSupport: "optional",
  async call(args, { mcpReq }: ServerContext) {
    if (mcpReq.inputResponses !== undefined) return { continuesAs: echoTool, args: { prompt: "Hi" } };
    const question = { message: "Your name?", requestedSchema: { type: "object", properties: {} } } as const;
    return inputRequired({
      inputRequests: { user_name: inputRequired.elicit(question) },
      requestState: JSON.stringify(args),
    });
  },
};

const requiredTool: ExtraTool = {
  ...pictureTool,
  definition: { name: "required", inputSchema },
  taskSupport: "required",
};

const extra: McpExtra = {
  tools: [pictureTool, greetTool, requiredTool],
  resources: {
    resources: [{ uri: "test://one", name: "one" }],
    templates: [{ uriTemplate: "test://{id}", name: "any" }],
    read: (uri) => (uri.startsWith("test://") ? { contents: [{ uri, text: "1" }] } : undefined),
  },
  handlers: { "prompts/list": async () => ({ prompts: [{ name: "simple" }] }) },
  capabilities: { prompts: {} },
};

describe("what a composition adds to the face", () => {
  it("is served beside its own", async () => {
    await using host = await TestModern.start({ registration: { extra } });
    const agent = host.agent();
    const { tools } = (await agent.ask("tools/list")).result;
    expect(tools.map(({ name }: { name: string }) => name).slice(-3)).toEqual(["picture", "greet", "required"]);
    expect((await agent.call("picture", {})).result.content).toEqual([picture]);
    expect((await agent.ask("resources/list")).result.resources).toMatchObject([{ uri: "test://one" }]);
    expect((await agent.ask("resources/templates/list")).result.resourceTemplates).toHaveLength(2);
    expect((await agent.ask("resources/read", { uri: "test://one" })).result.contents).toEqual([
      { uri: "test://one", text: "1" },
    ]);
    expect((await agent.ask("prompts/list")).result.prompts).toEqual([{ name: "simple" }]);
  });

  it("can ask in a round of its own and go on as a task", async () => {
    await using host = await TestModern.start({ registration: { extra } });
    const agent = host.agent({ ...withTasks, ...withForms });
    const { result } = await agent.call("greet", {});
    expect(result).toMatchObject({ resultType: "input_required", requestState: "{}" });
    const inputResponses = { user_name: { action: "accept", content: {} } };
    const next = await agent.call("greet", {}, { requestState: result.requestState, inputResponses });
    expect(next.result).toMatchObject({ resultType: "task", status: "working" });
    expect(host.newest).toMatchObject({ job: "respond", listed: true });
  });

  it("may need tasks", async () => {
    await using host = await TestModern.start({ registration: { extra } });
    const response = await host.agent().post("tools/call", { params: { name: "required" } });
    expect([response.status, (await response.json()).error.code]).toEqual([400, -32021]);
    expect((await host.agent(withTasks).call("required", {})).result.content).toEqual([picture]);
  });
});
