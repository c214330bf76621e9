import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import { ProblemError } from "../../../../shared/problem";
import type { McpCall } from "../era";
import type { FaceParts } from "../face-parts";
import { serverInfo } from "../server/common-methods";
import { EventFrames } from "./event-frames";
import { ListenStream } from "./listen-stream";
import { bodyCapabilities, missingTasks } from "./request-capabilities";
import { taskScope } from "./task-methods";
import { TaskWatch } from "./task-watch";

const listenSchema = z.object({
  id: z.union([z.string(), z.number()]),
  method: z.literal("subscriptions/listen"),
  params: z.object({ notifications: z.object({ taskIds: z.unknown() }) }),
});

/**
 * `subscriptions/listen` with `taskIds`, which the SDK does not know: it has checked the request and opened a stream
 * for whatever else was asked for, and the tasks are added to that. Any other answer passes unchanged.
 */
export async function withTaskNotifications(parts: FaceParts, call: McpCall, response: Response): Promise<Response> {
  const listen = listenSchema.safeParse(call.body).data;
  const asked = listen?.params.notifications.taskIds;
  const { body, headers } = response;
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (listen === undefined || asked === undefined || !isStream || body === null) return response;
  const declared = bodyCapabilities(call.body);
  const taskIds = z.array(z.string()).safeParse(asked);
  if (!declared.tasks || !taskIds.success) {
    await body.cancel();
    return declared.tasks ? invalidTaskIds(listen.id) : undeclared(listen.id);
  }
  const own = ownTasks(parts, call, new Set(taskIds.data));
  if (own.length === 0) return response;
  const watch = (onNews: () => void) => new TaskWatch(parts, call.caller, declared, own, onNews);
  const stream = new ListenStream(listen.id, own, serverInfo(parts), new EventFrames(body), watch);
  return new Response(stream.readable, { headers });
}

/** SEP-2663: ids of no task of the client are left out of what is acknowledged. */
function ownTasks({ service }: FaceParts, { caller }: McpCall, ids: ReadonlySet<string>): string[] {
  return [...ids].filter((id) => {
    try {
      return service.get(caller, taskScope, id) !== undefined;
    } catch (error) {
      if (error instanceof ProblemError) return false;
      throw error;
    }
  });
}

function undeclared(id: string | number): Response {
  const { code, message, data } = missingTasks();
  return Response.json({ jsonrpc: "2.0", id, error: { code, message, data } }, { status: 400 });
}

function invalidTaskIds(id: string | number): Response {
  const message = "Invalid params: 'taskIds' must be an array of task ids";
  return Response.json({ jsonrpc: "2.0", id, error: { code: ProtocolErrorCode.InvalidParams, message } });
}
