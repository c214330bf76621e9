import fc from "fast-check";
import type { ApiCall } from "./api-call";
import { type Loose, RawJson } from "./hostile-json";
import { questionAnswers, toolCalls } from "./tool-arguments";

type Header = readonly [name: string, value: string];

const accept: Header = ["accept", "application/json, text/event-stream"];
const session = fc.nat(40).map((index): Header => ["mcp-session-id", `{{session ${index}}}`]);
const version: Header = ["mcp-protocol-version", "2025-11-25"];

const id = fc.oneof(fc.integer({ min: 1, max: 1_000_000 }), fc.string({ minLength: 1, maxLength: 8 }));
const task = fc.nat(63).map((index) => `{{task ${index}}}`);
const ofTask = fc.record({ taskId: task });
const page = fc.oneof(fc.constant({}), fc.record({ cursor: fc.constantFrom("{{cursor 0}}", "{{cursor 1}}", "none") }));
const meta = fc.record({ progressToken: fc.oneof(fc.nat(), fc.string({ maxLength: 5 })) });

const asTask = fc.record(
  { ttl: fc.oneof(fc.integer({ min: 1_000, max: 60_000 }), fc.constant(0)) },
  { requiredKeys: [] },
);

const toolCall = fc
  .record({
    call: toolCalls,
    task: fc.option(asTask, { freq: 2, nil: undefined }),
    meta: fc.option(meta, { nil: undefined }),
  })
  .map(({ call, task, meta }) => ({
    ...call,
    ...(task === undefined ? {} : { task }),
    ...(meta === undefined ? {} : { _meta: meta }),
  }));

const requests: fc.Arbitrary<Loose> = fc.oneof(
  { weight: 8, arbitrary: request("tools/call", toolCall) },
  { weight: 2, arbitrary: request("tasks/get", ofTask) },
  { weight: 2, arbitrary: request("tasks/result", ofTask) },
  { weight: 2, arbitrary: request("tasks/cancel", ofTask) },
  { weight: 1, arbitrary: request("tasks/list", page) },
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
  { weight: 1, arbitrary: request("ping", fc.constant({})) },
  { weight: 1, arbitrary: request("prompts/get", fc.constant({ name: "none" })) },
);

const notifications: fc.Arbitrary<Loose> = fc.oneof(
  fc.constant({ jsonrpc: "2.0", method: "notifications/initialized" }),
  id.map((requestId) => ({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } })),
  fc.constant({ jsonrpc: "2.0", method: "notifications/roots/list_changed" }),
);

const asked = fc.nat(20).map((index) => ({ raw: `{{asked ${index}}}` }));

function request(method: string, params: fc.Arbitrary<Loose>): fc.Arbitrary<Loose> {
  return fc.record({ jsonrpc: fc.constant("2.0"), id, method: fc.constant(method), params });
}

/** An answer to what the server asked. */
const answers = fc
  .tuple(asked, questionAnswers)
  .map(([{ raw }, result]): Loose => ({ jsonrpc: "2.0", id: new RawJson(raw), result }));

const initialize: fc.Arbitrary<Loose> = request(
  "initialize",
  fc.record({
    protocolVersion: fc.constantFrom("2025-11-25", "2025-11-25", "2025-06-18", "2025-03-26", "2030-01-01"),
    capabilities: fc.constantFrom<Loose[]>(
      {},
      { elicitation: {}, sampling: {}, roots: {} },
      { elicitation: { form: {} }, tasks: { requests: { elicitation: { create: {} } } } },
    ),
    clientInfo: fc.constant({ name: "fuzz", version: "1" }),
  }),
);

const posts = fc.oneof(
  { weight: 12, arbitrary: requests },
  { weight: 1, arbitrary: notifications },
  { weight: 2, arbitrary: answers },
  { weight: 1, arbitrary: fc.array(fc.oneof(requests, notifications), { maxLength: 3 }) },
);

function inSession(calls: fc.Arbitrary<Omit<ApiCall, "target" | "headers">>): fc.Arbitrary<ApiCall> {
  return fc
    .tuple(calls, session)
    .map(([call, header]) => ({ ...call, target: "/mcp", headers: [accept, version, header] }));
}

/** All that a client of MCP 2025-11-25 sends. */
export const legacyCalls: fc.Arbitrary<ApiCall> = fc.oneof(
  {
    weight: 2,
    arbitrary: initialize.map((body) => ({ method: "POST", target: "/mcp", headers: [accept], body })),
  },
  { weight: 20, arbitrary: inSession(posts.map((body) => ({ method: "POST", body }))) },
  { weight: 1, arbitrary: inSession(fc.constant({ method: "GET" })) },
  { weight: 1, arbitrary: inSession(fc.constant({ method: "DELETE" })) },
);
