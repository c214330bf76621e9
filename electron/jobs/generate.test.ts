import { describe, expect, it } from "vitest";
import { outputOf, scripted, TestEngine } from "../engine/test-engine";
import { generate } from "./generate";
import { type Arguments, ran } from "./test-tool";

const accepts = (args: Arguments) => generate.input.safeParse(args).success;

describe("the arguments of generate", () => {
  it("are one of a prompt and messages", () => {
    const messages = [{ role: "user", content: "Hi" }];
    expect([{ prompt: "Hi" }, { messages }, {}, { prompt: "Hi", messages }].map(accepts)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(generate.input.safeParse({}).error?.issues[0]?.message).toBe("give exactly one of `prompt` and `messages`");
  });

  it.each<[string, Arguments]>([
    ["an empty prompt", { prompt: "" }],
    ["no messages", { messages: [] }],
    ["an empty message", { messages: [{ role: "user", content: "" }] }],
    ["another role", { messages: [{ role: "tool", content: "x" }] }],
    ["an unknown field of a message", { messages: [{ role: "user", content: "x", name: "y" }] }],
    ["half a character", { prompt: "\ud83d" }],
    ["no model", { prompt: "x", model: "" }],
    ["no tokens", { prompt: "x", max_output_tokens: 0 }],
    ["half a token", { prompt: "x", max_output_tokens: 1.5 }],
    ["too hot", { prompt: "x", temperature: 2.1 }],
    ["too likely", { prompt: "x", top_p: 1.1 }],
    ["the seed that means any", { prompt: "x", seed: 2 ** 32 - 1 }],
    ["an empty stop text", { prompt: "x", stop: [""] }],
    ["a schema that is none", { prompt: "x", json_schema: "x" }],
  ])("are refused with %s", (_, args) => {
    expect(accepts(args)).toBe(false);
  });

  it("become the conversation, the options and the title of a task that may ask for its model", () => {
    const messages = [
      { role: "user", content: "One?" },
      { role: "assistant", content: "1." },
      { role: "user", content: "Two?\nSay it." },
    ];
    const json_schema = { type: "object" };
    const options = { max_output_tokens: 9, temperature: 0, top_p: 0.5, seed: 1, stop: ["END"], json_schema };
    expect(generate.draft({ messages, system: "Count.", model: "m", ...options })).toEqual({
      title: "Two?",
      model: "m",
      unnamedModel: "ask",
      input: {
        messages: [
          { role: "system", text: "Count." },
          { role: "user", text: "One?" },
          { role: "assistant", text: "1." },
          { role: "user", text: "Two?\nSay it." },
        ],
        options: {
          maxTokens: 9,
          temperature: 0,
          topP: 0.5,
          seed: 1,
          stop: ["END"],
          format: { type: "json_schema", schema: json_schema },
        },
      },
    });
    expect(generate.draft({ prompt: "Hi" })).toMatchObject({
      model: null,
      input: { messages: [{ role: "user", text: "Hi" }], options: { stop: [], format: { type: "text" } } },
    });
  });
});

describe("a generate task", () => {
  it("writes the text, and says it as data too when a schema was given", async () => {
    const engine = new TestEngine(scripted({ text: '{"a": 1}' }));
    const json = await ran(engine, generate, { prompt: "Hi", json_schema: { type: "object" } });
    expect(json.outcome).toMatchObject({ result: { data: { a: 1 }, items: [{ text: '{"a": 1}' }] } });
    const plain = await ran(engine, generate, { prompt: "Hi" });
    expect(outputOf(plain)).toBe('{"a": 1}');
    expect(plain.outcome).not.toHaveProperty("result.data");
  });

  it("has no data when its limit or a stop text cut the JSON", async () => {
    // The beginning of this is JSON by itself.
    const engine = new TestEngine(scripted({ text: '1 {"a": 1}' }));
    for (const cut of [{ max_output_tokens: 1 }, { stop: ["}"] }]) {
      const task = await ran(engine, generate, { prompt: "Hi", json_schema: {}, ...cut });
      expect(task).toMatchObject({ status: "succeeded" });
      expect(task.outcome).not.toHaveProperty("result.data");
    }
  });
});
