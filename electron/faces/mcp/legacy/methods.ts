import type { Result, ServerContext, StandardSchemaV1 } from "@modelcontextprotocol/server";
import { methodNotFound } from "../errors";
import type { FaceParts } from "../face-parts";
import { answering, anyParams, taskParams } from "../server/answering";
import { commonMethods } from "../server/common-methods";
import type { LegacyServer } from "./legacy-server";
import type { OpenSession } from "./open-session";
import { cancelTask, getTask, listTasks } from "./task-methods";
import type { TaskResults } from "./task-results";
import { callParams, type ToolCalls } from "./tool-calls";

/** What the sessions of one client share. */
export interface SessionCalls {
  readonly tools: ToolCalls;
  readonly results: TaskResults;
}

/** Registers what a session answers. */
export function serveMethods(server: LegacyServer, parts: FaceParts, session: OpenSession, calls: SessionCalls): void {
  commonMethods(server, parts, session.caller);
  answering(server, parts.onBug, "tools/call", "call tool", callParams, (call, context) =>
    calls.tools.call(call, session, context),
  );
  /** C5, C6: without the capability there is no such method. */
  const onTask = <P extends StandardSchemaV1>(
    method: string,
    doing: string,
    params: P,
    answer: (given: StandardSchemaV1.InferOutput<P>, context: ServerContext) => Result | Promise<Result>,
  ) =>
    answering(server, parts.onBug, method, doing, params, (given, context) => {
      if (!session.hasTasks) throw methodNotFound("Method not found");
      return answer(given, context);
    });
  onTask("tasks/get", "retrieve task", taskParams, ({ taskId }) => getTask(parts, session, taskId));
  onTask("tasks/list", "list tasks", anyParams, ({ cursor }) => listTasks(parts, session, cursor));
  onTask("tasks/cancel", "cancel task", taskParams, ({ taskId }) => cancelTask(parts, session, taskId));
  onTask("tasks/result", "retrieve task result", taskParams, ({ taskId }, context) =>
    calls.results.answer(taskId, session, context),
  );
}
