import type { Tool } from "../../../engine/tool";
import { invalidParams } from "../errors";
import type { ExtraTool, McpRegistration } from "../registration";

export type FoundTool =
  | { readonly kind: "engine"; readonly tool: Tool }
  | { readonly kind: "extra"; readonly tool: ExtraTool };

/** Throws -32602 when there is no such tool. */
export function findTool({ tools, extra }: McpRegistration, name: string): FoundTool {
  const tool = tools.find((one) => one.name === name);
  if (tool !== undefined) return { kind: "engine", tool };
  const added = extra?.tools?.find(({ definition }) => definition.name === name);
  if (added !== undefined) return { kind: "extra", tool: added };
  throw invalidParams(`Unknown tool: ${name.slice(0, 128)}`);
}
