import { fromJsonSchema } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import type { McpRegistration } from "../registration";
import { checkArguments } from "./check-arguments";
import { findTool } from "./find-tool";
import { countTool, echoTool } from "./test-tools";
import { toolDefinitions } from "./tool-definition";

const registration: McpRegistration = {
  tools: [echoTool, countTool],
  extra: {
    tools: [
      {
        definition: { name: "extra", inputSchema: { type: "object" } },
        taskSupport: "required",
        call: async () => ({ content: [] }),
      },
    ],
  },
};

describe("the list of tools", () => {
  it("has the documented form", async () => {
    const text = `${JSON.stringify(toolDefinitions(registration), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`${import.meta.dirname}/golden/tools.json`);
  });

  it("describes a structured result so that a failure fits too", () => {
    const { $schema: _, ...schema } = toolDefinitions(registration)[1]?.outputSchema ?? {};
    const check = fromJsonSchema(schema)["~standard"];
    const faults = (value: unknown) => Promise.resolve(check.validate(value)).then(({ issues }) => issues?.length ?? 0);
    return Promise.all([
      expect(faults({ count: 2 })).resolves.toBe(0),
      expect(faults({ code: "model_not_found" })).resolves.toBe(0),
      expect(faults({ count: "two" })).resolves.toBeGreaterThan(0),
    ]);
  });
});

describe("a tool", () => {
  it("is found by its name, wherever it comes from", () => {
    expect(findTool(registration, "echo").tool).toBe(echoTool);
    expect(findTool(registration, "extra").kind).toBe("extra");
    expect(() => findTool(registration, "Echo")).toThrow(expect.objectContaining({ code: -32602 }));
  });

  it.each([
    [{}, "invalid_request: prompt"],
    [undefined, "invalid_request: prompt"],
    [{ prompt: "Hi", colour: "red" }, "invalid_request: arguments"],
    ["Hi", "invalid_request: arguments"],
    [{ prompt: "Hi", model: 7 }, "invalid_request: model"],
  ])("refuses the arguments %j and names the field", (args, message) => {
    expect(() => checkArguments(echoTool, args)).toThrow(message);
  });

  it("takes arguments that fit", () => {
    expect(checkArguments(echoTool, { prompt: "Hi" })).toEqual({ prompt: "Hi" });
    expect(checkArguments(countTool, undefined)).toEqual({});
  });
});
