import type { Server } from "@modelcontextprotocol/server";
import type { Caller } from "../../../engine/caller";
import type { FaceParts } from "../face-parts";
import { tasksExtension } from "../projection/capabilities";
import { answering, taskParams } from "../server/answering";
import { commonCapabilities, commonMethods, serverInfo, serverInstructions } from "../server/common-methods";
import { TaskAwareServer } from "../server/task-aware-server";
import { missingTasks, requestCapabilities } from "./request-capabilities";
import { taskMethods, taskScope } from "./task-methods";
import { callParams, type ToolCalls } from "./tool-calls";

/** A server of the SDK for one request: this generation has no sessions. */
export function modernServer(parts: FaceParts, calls: ToolCalls, caller: Caller, closed: AbortSignal): Server {
  const { service, onBug } = parts;
  const server = new TaskAwareServer(serverInfo(parts), {
    capabilities: commonCapabilities(parts, { extensions: { [tasksExtension]: {} } }),
    instructions: serverInstructions,
  });
  commonMethods(server, parts, caller);
  answering(server, onBug, "tools/call", "call tool", callParams, (params, context) =>
    calls.call(params, { caller, closed, context, declared: requestCapabilities(server) }),
  );
  for (const [method, { doing, answer }] of Object.entries(taskMethods))
    answering(server, onBug, method, doing, taskParams, ({ taskId }, context) => {
      const declared = requestCapabilities(server);
      if (!declared.tasks) throw missingTasks();
      const task = service.current(caller, taskScope, taskId);
      return { resultType: "complete", ...answer(parts, task, { caller, closed, context, declared }) };
    });
  return server;
}
