import { describe, expect, it } from "vitest";
import { ProblemError } from "../../../shared/problem";
import { validatorCompiler } from "../../http/validation";
import { parseRespondInput } from "../../jobs/respond-input";
import { respondDraft } from "./job-input";
import { type TaskRequest, taskRequestSchema } from "./request";

const schema = taskRequestSchema(1_000);
const validate = validatorCompiler({ schema, method: "POST", url: "/" });

function parse(body: unknown): TaskRequest {
  const result = validate(body) as { value: TaskRequest } | { error: ProblemError };
  if ("error" in result) throw result.error;
  return result.value;
}

/** The code and the field of the refusal; `accepted` when there is none. */
function refusal(input: unknown, envelope: object = {}): string {
  try {
    parse({ type: "response", input, ...envelope });
    return "accepted";
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return `${error.problem.code} ${error.problem.detail.split(": ")[0]}`;
  }
}

const ask = (fields: object) => refusal({ input: "Hi", ...fields });
const say = (...turns: unknown[]) => refusal({ input: turns });
const user = { role: "user", content: "A" };

/** What the job reads back of a request after it was stored. */
function stored(input: object) {
  const draft = respondDraft(parse({ type: "response", input }).input);
  return parseRespondInput(JSON.parse(JSON.stringify(draft.input)));
}

describe("a task's envelope", () => {
  it.each([
    [undefined, "invalid_request body"],
    [[], "invalid_request body"],
    [{ input: { input: "Hi" } }, "invalid_request type"],
    [{ type: "batch", input: { input: "Hi" } }, "invalid_request type"],
    [{ type: "response" }, "invalid_request input"],
    [{ type: "response", input: "Hi" }, "invalid_request input"],
    [{ type: "response", input: { input: "Hi" }, on_restart: "never" }, "invalid_request on_restart"],
    [{ type: "response", input: { input: "Hi" }, on_restart: null }, "invalid_request on_restart"],
  ])("is refused as %j", (body, fault) => {
    expect(() => parse(body)).toThrow(new RegExp(`^${fault.replace(" ", ": ")}: `));
  });

  it("fails on a restart unless it says otherwise", () => {
    expect(parse({ type: "response", input: { input: "Hi" } }).on_restart).toBe("fail");
  });
});

describe("a response request", () => {
  it.each([
    ["an empty text", { input: "" }],
    ["no input", {}],
    ["null", { input: null }],
    ["an empty list", { input: [] }],
    ["a number", { input: 7 }],
    ["only turns without text", { input: [{ role: "assistant", content: "" }] }],
  ])("is refused with %s as its input", (_, input) => {
    expect(refusal(input)).toBe("invalid_request input.input");
  });

  it.each([
    ["max_output_tokens", -1],
    ["max_output_tokens", 0],
    ["max_output_tokens", 1.5],
    ["max_output_tokens", 1_001],
    ["max_output_tokens", 1e308],
    ["max_output_tokens", 2 ** 53],
    ["max_output_tokens", Number.POSITIVE_INFINITY],
    ["max_output_tokens", "NaN"],
    ["max_output_tokens", "5"],
    ["temperature", -0.1],
    ["temperature", 2.1],
    ["temperature", Number.NaN],
    ["temperature", "hot"],
    ["top_p", -1],
    ["top_p", 1.1],
    ["seed", -1],
    ["seed", 1.5],
    ["seed", 2 ** 32],
    ["stop", ""],
    ["stop", []],
    ["stop", 7],
    ["stop", Array.from({ length: 17 }, () => "x")],
    ["model", ""],
    ["model", 7],
    ["instructions", 7],
    ["metadata", "x"],
    ["text", "json"],
  ])("is refused with %s %j", (field, value) => {
    expect(ask({ [field]: value })).toBe(`invalid_request input.${field}`);
  });

  it.each([
    ["input.stop[1]", { stop: ["x", ""] }],
    ["input.metadata.a", { metadata: { a: 1 } }],
    ["input.text.format.type", { text: { format: { type: "xml" } } }],
    ["input.text.format.schema", { text: { format: { type: "json_schema" } } }],
    ["input.text.format.schema", { text: { format: { type: "json_schema", schema: "x" } } }],
  ])("names %s as the field of a fault within", (field, fields) => {
    expect(ask(fields)).toBe(`invalid_request ${field}`);
  });

  it.each([
    ["tools", [{ type: "function" }]],
    ["tools", {}],
    ["tool_choice", "auto"],
    ["tool_choice", { type: "function" }],
    ["previous_response_id", "resp_1"],
    ["conversation", "conv_1"],
    ["background", true],
    ["truncation", "auto"],
    ["n", 2],
    ["n", 0],
    ["logprobs", true],
  ])("is refused with the parameter %s %j, which is known and not served", (field, value) => {
    expect(ask({ [field]: value })).toBe(`unsupported_parameter input.${field}`);
  });

  it("may have such parameters with values that change nothing", () => {
    const neutral = {
      tools: [],
      tool_choice: "none",
      background: false,
      truncation: "disabled",
      n: 1,
      logprobs: false,
    };
    expect(ask({ ...neutral, previous_response_id: null, conversation: null })).toBe("accepted");
  });

  it("takes null for absent", () => {
    const names = ["model", "instructions", "max_output_tokens", "temperature", "top_p", "seed", "stop", "text"];
    expect(ask(Object.fromEntries([...names, "metadata", "tools", "n"].map((name) => [name, null])))).toBe("accepted");
  });

  it("ignores fields that it does not know, wherever they are, and a task's stream", () => {
    const content = [{ type: "output_text", text: "B", annotations: [] }];
    const input = [
      { ...user, foo: 1 },
      { type: "message", id: "msg_1", status: "completed", role: "assistant", content },
    ];
    expect(refusal({ input, keep_alive: "30s", foo: 1, stream: "what?" }, { bar: 1 })).toBe("accepted");
  });

  it("refuses text that is no Unicode", () => {
    expect(refusal({ input: "\ud83d" })).toBe("invalid_request input.input");
    expect(say({ role: "user", content: "\ud83d" })).toBe("invalid_request input.input[0].content");
    expect(say({ role: "user", content: [{ type: "input_text", text: "\ude00" }] })).toBe(
      "invalid_request input.input[0].content[0].text",
    );
    expect(say({ role: "user", content: "\ud83d\ude00" })).toBe("accepted");
  });
});

describe("a message", () => {
  it.each([
    ["input.input[0].role", { role: "tool", content: "A" }],
    ["input.input[0].role", { content: "A" }],
    ["input.input[0].type", { type: "function_call_output", role: "user", content: "A" }],
    ["input.input[0].content", { role: "user" }],
    ["input.input[0].content", { role: "user", content: null }],
    ["input.input[0].content", { role: "system", content: null }],
    ["input.input[0].content", { role: "user", content: "" }],
    ["input.input[0].content", { role: "user", content: [] }],
    ["input.input[0].content", { role: "user", content: 7 }],
    ["input.input[0].content[0].type", { role: "user", content: [{ type: "input_image", image_url: "x" }] }],
    ["input.input[0].content[0].text", { role: "user", content: [{ type: "input_text" }] }],
    ["input.input[0]", "A"],
  ])("is refused with %s named, as in %j", (field, turn) => {
    expect(say(turn, user)).toBe(`invalid_request ${field}`);
  });

  it("of an assistant may have null or nothing as its content", () => {
    expect(say(user, { role: "assistant", content: null }, user)).toBe("accepted");
    expect(say(user, { role: "assistant", content: "" }, { role: "system", content: [] }, user)).toBe("accepted");
  });
});

describe("what is stored of a request", () => {
  it("is the conversation in its order, without empty turns", () => {
    const parts = [
      { type: "input_text", text: "two " },
      { type: "output_text", text: "parts" },
    ];
    const input = [
      { role: "developer", content: "D" },
      { role: "user", content: parts },
      { role: "assistant", content: null },
      { role: "system", content: "S" },
      { role: "assistant", content: "A" },
    ];
    expect(stored({ instructions: "I", input }).messages).toEqual([
      { role: "system", text: "I" },
      { role: "system", text: "D" },
      { role: "user", text: "two parts" },
      { role: "system", text: "S" },
      { role: "assistant", text: "A" },
    ]);
  });

  it("is how to write, as far as the client said it", () => {
    expect(stored({ input: "Hi", temperature: null }).options).toEqual({ stop: [], format: { type: "text" } });
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const options = stored({
      input: "Hi",
      max_output_tokens: 1_000,
      temperature: 0,
      top_p: 1,
      seed: 0,
      stop: "END",
      text: { format: { type: "json_schema", name: "a", strict: true, schema } },
    }).options;
    expect(options).toEqual({
      maxTokens: 1_000,
      temperature: 0,
      topP: 1,
      seed: 0,
      stop: ["END"],
      format: { type: "json_schema", schema },
    });
  });
});
