import { type CallToolResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Json } from "../../../../shared/json";
import { type Problem, problemOf } from "../../../../shared/problem";
import type { JobResult, Outcome, Task } from "../../../../shared/task";
import { isAnswer } from "../errors";

/** What a tool call comes to. An error is told as it is, whenever it is asked for. */
export type ToolOutcome =
  | { readonly kind: "result"; readonly result: CallToolResult }
  | { readonly kind: "error"; readonly error: { readonly code: number; readonly message: string } };

/**
 * The answer to the call that the task is, the same at once and from `tasks/result`; undefined while it has none.
 * `input` is the task's, needed for the structure of a generated text.
 */
export function toolOutcome(task: Task, input: Json = null): ToolOutcome | undefined {
  // It can only end as cancelled, and whoever waits for it need not wait for the backend to stop.
  if (task.status === "cancelling") return cancelled;
  return task.outcome === null ? undefined : projections[task.outcome.kind](task.outcome as never, input);
}

/** The result, or the error thrown. */
export function resultOf(outcome: ToolOutcome): CallToolResult {
  if (outcome.kind === "result") return outcome.result;
  throw new ProtocolError(outcome.error.code, outcome.error.message);
}

/** A tool that could not do what it was asked: its caller, a model, can read it and try otherwise. */
export function faultResult({ code, detail }: Problem): CallToolResult {
  return { content: [{ type: "text", text: `${code}: ${detail}` }], structuredContent: { code }, isError: true };
}

/** A structured answer; its text is the same as JSON, for clients that read only texts. */
export function dataResult(data: Json): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(data) }], ...structured(data) };
}

/** The failure of a call that came to no task, as an answer; thrown on when it is none. */
export function failedCall(error: unknown): CallToolResult {
  const problem = problemOf(error);
  if (!isAnswer(problem) || error instanceof ProtocolError) throw error;
  return faultResult(problem);
}

const cancelled: ToolOutcome = {
  kind: "error",
  error: { code: ProtocolErrorCode.InternalError, message: "Task was cancelled" },
};

const projections: {
  readonly [K in Outcome["kind"]]: (outcome: Extract<Outcome, { kind: K }>, input: Json) => ToolOutcome;
} = {
  result: ({ result }, input) => ({ kind: "result", result: callResult(result, input) }),
  error: ({ problem }) =>
    isAnswer(problem)
      ? { kind: "result", result: faultResult(problem) }
      : { kind: "error", error: { code: ProtocolErrorCode.InternalError, message: problem.detail } },
  cancelled: () => cancelled,
};

function callResult({ items, data }: JobResult, input: Json): CallToolResult {
  const texts = items.filter(({ type }) => type === "message").map(({ text }) => text);
  if (texts.length === 0 && data !== undefined) return dataResult(data);
  return {
    content: texts.map((text) => ({ type: "text", text })),
    ...(data === undefined ? structuredText(texts, input) : structured(data)),
  };
}

/** A text that was written by a schema, read; one that was cut short by a limit is no JSON and stays a text. */
function structuredText(texts: readonly string[], input: Json): Pick<CallToolResult, "structuredContent"> {
  if (!asksForJson(input)) return {};
  try {
    return structured(JSON.parse(texts.join("")) as Json);
  } catch {
    // Cut short.
    return {};
  }
}

function asksForJson(input: Json): boolean {
  return ["json_schema", "json_object"].includes(String(at(at(at(input, "options"), "format"), "type")));
}

function at(value: Json, key: string): Json {
  return isObject(value) ? (value[key] ?? null) : null;
}

/** Structured content is an object (2025-11-25, tools). */
function structured(data: Json): Pick<CallToolResult, "structuredContent"> {
  return isObject(data) ? { structuredContent: data } : {};
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
