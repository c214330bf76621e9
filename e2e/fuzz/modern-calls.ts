import fc from "fast-check";
import type { ApiCall } from "./api-call";
import type { Loose } from "./hostile-json";
import { questionAnswers, toolCalls } from "./tool-arguments";

type Params = Readonly<Record<string, Loose>>;

const version = "2026-07-28";
const envelope = "io.modelcontextprotocol/";

const capabilities = fc.constantFrom<Params[]>(
  { extensions: { [`${envelope}tasks`]: {} } },
  { elicitation: {}, extensions: { [`${envelope}tasks`]: {} } },
  { elicitation: {}, sampling: {}, roots: {} },
  {},
);

const task = fc.nat(63).map((index) => `{{task ${index}}}`);
const page = fc.oneof(fc.constant({}), fc.record({ cursor: fc.constantFrom("{{cursor 0}}", "{{cursor 1}}", "none") }));
const question = fc.nat(20).map((index) => `{{question ${index}}}`);
const answers = fc.tuple(question, questionAnswers).map(([key, answer]): Params => ({ [key]: answer }));

const toolCall: fc.Arbitrary<Params> = fc.oneof(
  { weight: 5, arbitrary: toolCalls },
  {
    weight: 1,
    arbitrary: fc
      .tuple(toolCalls, answers, fc.nat(10))
      .map(([call, inputResponses, index]) => ({ ...call, inputResponses, requestState: `{{state ${index}}}` })),
  },
);

const notifications = fc.record(
  {
    taskIds: fc.array(task, { maxLength: 4 }),
    toolsListChanged: fc.boolean(),
    resourcesListChanged: fc.boolean(),
  },
  { requiredKeys: [] },
);

const requests: fc.Arbitrary<readonly [method: string, params: Params]> = fc.oneof(
  { weight: 8, arbitrary: request("tools/call", toolCall) },
  { weight: 2, arbitrary: request("tasks/get", fc.record({ taskId: task })) },
  { weight: 2, arbitrary: request("tasks/update", fc.record({ taskId: task, inputResponses: answers })) },
  { weight: 2, arbitrary: request("tasks/cancel", fc.record({ taskId: task })) },
  { weight: 2, arbitrary: request("subscriptions/listen", fc.record({ notifications })) },
  { weight: 1, arbitrary: request("server/discover", fc.constant({})) },
  { weight: 1, arbitrary: request("tools/list", page) },
  { weight: 1, arbitrary: request("resources/list", page) },
  {
    weight: 1,
    arbitrary: request(
      "resources/read",
      task.map((one) => ({ uri: `simmer://tasks/${one}` })),
    ),
  },
  { weight: 1, arbitrary: request("resources/templates/list", page) },
  { weight: 1, arbitrary: request("tasks/list", page) },
);

function request(method: string, params: fc.Arbitrary<Params>): fc.Arbitrary<readonly [string, Params]> {
  return params.map((given) => [method, given]);
}

/** All that a client of MCP 2026-07-28 sends: each request says itself who asks. */
export const modernCalls: fc.Arbitrary<ApiCall> = fc
  .record({ request: requests, capabilities, id: fc.oneof(fc.nat(), fc.string({ minLength: 1, maxLength: 8 })) })
  .map(({ request: [method, params], capabilities, id }) => {
    const _meta = {
      [`${envelope}protocolVersion`]: version,
      [`${envelope}clientCapabilities`]: capabilities,
      [`${envelope}clientInfo`]: { name: "fuzz", version: "1" },
    };
    // SEP-2243: what a request is about stands in a header too.
    const name = [params.name, params.uri, params.taskId].find((one) => typeof one === "string");
    return {
      method: "POST",
      target: "/mcp",
      headers: [
        ["accept", "application/json, text/event-stream"],
        ["mcp-protocol-version", version],
        ["mcp-method", method],
        ...(typeof name === "string" ? [["mcp-name", name] as const] : []),
      ],
      body: { jsonrpc: "2.0", id, method, params: { ...params, _meta } },
    };
  });
