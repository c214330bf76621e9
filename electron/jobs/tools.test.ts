import { describe, expect, it } from "vitest";
import { z } from "zod";
import { jobs } from "./jobs";
import { tools } from "./tools";

const inputs = tools.map(({ name, input }) => [name, z.toJSONSchema(input, { io: "input" })] as const);

/** Names of all properties that a reader of the schema is told nothing about. */
function undescribed(schema: unknown): string[] {
  const { properties = {} } = z
    .object({ properties: z.record(z.string(), z.looseObject({})).optional() })
    .parse(schema);
  return Object.entries(properties).flatMap(([name, property]) => ("description" in property ? [] : [name]));
}

describe("the tools", () => {
  it("have the names that agents know", () => {
    expect(tools.map(({ name }) => name)).toEqual(["generate", "summarize", "batch", "list_models", "ask_person"]);
  });

  it("are run by jobs that exist, and all but list_models may be tasks or not", () => {
    const names = jobs.map(({ name }) => name);
    const kinds = tools.map((tool) =>
      tool.kind === "quick" ? tool.name : [names.includes(tool.job), tool.taskSupport],
    );
    expect(kinds).toEqual([
      [true, "optional"],
      [true, "optional"],
      [true, "optional"],
      "list_models",
      [true, "optional"],
    ]);
  });

  it.each(inputs)("%s describes its arguments as a JSON schema that every host takes", (_name, schema) => {
    expect(schema).toMatchObject({ type: "object", additionalProperties: false });
    expect(Object.keys(schema).filter((key) => ["oneOf", "anyOf", "allOf", "$ref"].includes(key))).toEqual([]);
    expect(undescribed(schema)).toEqual([]);
  });

  it("describe their structured results as objects", () => {
    const outputs = tools.flatMap(({ name, output }) => (output ? [[name, z.toJSONSchema(output).type]] : []));
    expect(outputs).toEqual([
      ["batch", "object"],
      ["list_models", "object"],
      ["ask_person", "object"],
    ]);
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    "%s refuses an unknown argument by its name",
    (_, { input }) => {
      const { error } = input.safeParse({ maxTokens: 5 });
      expect(error?.issues).toContainEqual(expect.objectContaining({ message: 'Unrecognized key: "maxTokens"' }));
    },
  );

  it("change nothing on this computer, but ask_person asks somebody", () => {
    const hints = tools.map(({ annotations }) => [annotations.readOnlyHint, annotations.destructiveHint]);
    expect(hints).toEqual([
      [true, false],
      [true, false],
      [true, false],
      [true, false],
      [false, false],
    ]);
  });
});
