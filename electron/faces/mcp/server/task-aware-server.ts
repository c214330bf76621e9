import { type JSONRPCRequest, type Result, Server, type ServerContext } from "@modelcontextprotocol/server";

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** The SDK's server, whose `tools/call` may be answered by a task; every other answer is checked as the SDK does. */
export class TaskAwareServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    if (method !== "tools/call") return super._wrapHandler(method, handler);
    return async (request, context) => {
      const result = await handler(request, context);
      if (isTask(result)) return result;
      return await super._wrapHandler(method, async () => result)(request, context);
    };
  }
}

/** 2025-11-25 nests the task, 2026-07-28 is flat. */
function isTask(result: Result): boolean {
  return result.resultType === "task" || ("task" in result && !("content" in result));
}
