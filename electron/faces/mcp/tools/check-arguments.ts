import type { Tool } from "../../../engine/tool";
import { firstFault } from "../../../http/validation";

/** The arguments by the tool's schema. Throws ProblemError `invalid_request` whose detail begins with the field. */
export function checkArguments(tool: Tool, args: unknown): Readonly<Record<string, unknown>> {
  const checked = tool.input.safeParse(args ?? {});
  if (checked.success) return checked.data;
  throw firstFault(checked.error, "arguments");
}
