import type {
  CallToolResult,
  InputRequiredResult,
  Tool as McpTool,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  Result,
  ServerCapabilities,
  ServerContext,
} from "@modelcontextprotocol/server";
import type { TaskTool, Tool } from "../../engine/tool";

/** What the face offers: the tools of the engine, and whatever a composition adds that no engine has. */
export interface McpRegistration {
  readonly tools: readonly Tool[];
  readonly extra?: McpExtra;
}

/** What speaks MCP and nothing else. Both generations serve it by the same code. */
export interface McpExtra {
  readonly tools?: readonly ExtraTool[];
  readonly resources?: ExtraResources;
  /** By method (`prompts/list`, `completion/complete`, ...); the answer goes out as it is. */
  readonly handlers?: Readonly<Record<string, ExtraHandler>>;
  /** Declared besides the face's own. */
  readonly capabilities?: ServerCapabilities;
}

export interface ExtraTool {
  /** Without `execution`: that follows from `taskSupport`. */
  readonly definition: McpTool;
  readonly taskSupport: "forbidden" | "optional" | "required";
  /** Answers, or names the engine's tool as which the call goes on. The arguments are not checked. */
  call(
    args: Readonly<Record<string, unknown>>,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult | ContinuedCall>;
}

/** A call that goes on as a task of the engine. */
export interface ContinuedCall {
  readonly continuesAs: TaskTool;
  readonly args: Readonly<Record<string, unknown>>;
}

export function isContinued(answer: Result | ContinuedCall): answer is ContinuedCall {
  return "continuesAs" in answer;
}

export interface ExtraResources {
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplateType[];
  /** Undefined when there is no such resource. */
  read(uri: string): ReadResourceResult | undefined;
}

export type ExtraHandler = (params: Readonly<Record<string, unknown>>, context: ServerContext) => Promise<Result>;
