import type { RawClientDispatch } from "@modelcontextprotocol/ext-tasks/client";
import { z } from "zod";

const requestSchema = z.object({
  method: z.string(),
  params: z.looseObject({ name: z.string().optional(), taskId: z.string().optional() }),
});
const errorSchema = z.object({ code: z.int(), message: z.string(), data: z.json().optional() });
const answerSchema = z.union([z.object({ result: z.json() }), z.object({ error: errorSchema })]);

/** Sends a request of 2026-07-28 past the SDK's client, which takes no task for an answer. */
export function rawDispatch(url: string, headers: Readonly<Record<string, string>>): RawClientDispatch {
  let id = 0;
  return async (request, { signal } = {}) => {
    const { method, params } = requestSchema.parse(request);
    id += 1;
    const response = await fetch(url, {
      method: "POST",
      headers: {
        ...headers,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method,
        "Mcp-Name": params.name ?? params.taskId ?? "",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
      ...(signal === undefined ? {} : { signal }),
    });
    const answer = answerSchema.parse(answerOf(response.headers.get("content-type"), await response.text()));
    return "result" in answer
      ? { kind: "result", result: answer.result }
      : { kind: "error", error: errorSchema.parse(answer.error) };
  };
}

/** The last message of a stream is the answer. */
function answerOf(contentType: string | null, text: string): unknown {
  if (!contentType?.startsWith("text/event-stream")) return JSON.parse(text);
  return JSON.parse(
    text
      .split("\n")
      .findLast((line) => line.startsWith("data: "))
      ?.slice("data: ".length) ?? "null",
  );
}
