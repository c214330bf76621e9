import type { ClientCapabilities } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { answersOf, declaresTasks } from "./capabilities";

describe("the capabilities of a client", () => {
  it.each([
    [undefined, []],
    [{}, []],
    [{ elicitation: {} }, ["form"]],
    [{ elicitation: { form: {} } }, ["form"]],
    [{ elicitation: { url: {} } }, []],
    [{ elicitation: { form: {}, url: {} } }, ["form"]],
    [{ sampling: {}, roots: {} }, ["sampling", "roots"]],
  ])("%j answer %j", (capabilities, answers) => {
    expect(answersOf(capabilities)).toEqual(answers);
  });

  it("declare tasks by the extension alone", () => {
    expect(declaresTasks({ extensions: { "io.modelcontextprotocol/tasks": {} } })).toBe(true);
    const elsewhere: ClientCapabilities = { tasks: {}, experimental: { tasks: {} } };
    expect(declaresTasks(elsewhere)).toBe(false);
    expect(declaresTasks(undefined)).toBe(false);
  });
});
