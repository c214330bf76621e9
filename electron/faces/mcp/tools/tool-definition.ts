import type { JSONObject, Tool as McpTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Tool } from "../../../engine/tool";
import type { McpRegistration } from "../registration";

export type TaskSupport = "forbidden" | "optional" | "required";

/** Every tool as `tools/list` tells it. The modern generation drops `execution` on its way out. */
export function toolDefinitions({ tools, extra }: McpRegistration): McpTool[] {
  const extras = (extra?.tools ?? []).map(({ definition, taskSupport }) => ({
    ...definition,
    execution: { taskSupport },
  }));
  return [...tools.map(toolDefinition), ...extras];
}

export function taskSupportOf(tool: Tool): TaskSupport {
  return tool.kind === "quick" ? "forbidden" : tool.taskSupport;
}

function toolDefinition(tool: Tool): McpTool {
  const { name, title, description, annotations } = tool;
  return {
    name,
    title,
    description,
    inputSchema: { ...jsonSchema(tool.input, "input"), type: "object" },
    ...(tool.output === undefined ? {} : { outputSchema: outputSchema(tool.output) }),
    annotations,
    execution: { taskSupport: taskSupportOf(tool) },
  };
}

/** Clients hold the structure of a failure against this schema too, so it says what a failure looks like. */
function outputSchema(output: z.ZodObject): NonNullable<McpTool["outputSchema"]> {
  const failure = { type: "object", properties: { code: { type: "string" } }, required: ["code"] };
  return { type: "object", anyOf: [jsonSchema(output, "output"), failure] };
}

/** Without `$schema`: the dialect is MCP's default, and some validators refuse a name that they do not know. */
function jsonSchema(schema: z.ZodObject, io: "input" | "output"): JSONObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return JSON.parse(JSON.stringify(rest));
}
