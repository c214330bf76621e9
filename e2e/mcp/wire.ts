import { z } from "zod";

/** What goes over the wire, as strict as the 2025-11-25 text lets it be. */
export const relatedTask = "io.modelcontextprotocol/related-task";

const id = z.union([z.string(), z.number()]);
const meta = z.record(z.string(), z.unknown());
const record = z.record(z.string(), z.unknown());

export const rpcError = z.strictObject({ code: z.int(), message: z.string(), data: z.unknown().optional() });
export type RpcError = z.output<typeof rpcError>;

/** What answers a request. */
export const rpcAnswer = z.union([
  z.strictObject({ jsonrpc: z.literal("2.0"), id, result: record }),
  z.strictObject({ jsonrpc: z.literal("2.0"), id: id.nullish(), error: rpcError }),
]);

export const rpcRequest = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id,
  method: z.string(),
  params: record.optional(),
});
export const rpcNotification = z.strictObject({
  jsonrpc: z.literal("2.0"),
  method: z.string(),
  params: record.optional(),
});
export const rpcMessage = z.union([rpcAnswer, rpcRequest, rpcNotification]);

export type RpcAnswer = z.output<typeof rpcAnswer>;
export type RpcRequest = z.output<typeof rpcRequest>;
export type RpcNotification = z.output<typeof rpcNotification>;

export const taskStatus = z.enum(["working", "input_required", "completed", "failed", "cancelled"]);
export type WireStatus = z.output<typeof taskStatus>;

const iso8601 = z.iso.datetime({ offset: true });

const taskFields = {
  taskId: z.string(),
  status: taskStatus,
  statusMessage: z.string().optional(),
  createdAt: iso8601,
  lastUpdatedAt: iso8601,
  ttl: z.number().nullable(),
  pollInterval: z.number().positive().optional(),
};

export const wireTask = z.strictObject(taskFields);
export type WireTask = z.output<typeof wireTask>;

export const createTaskResult = z.strictObject({ task: wireTask, _meta: meta.optional() });
/** The result of `tasks/get` and `tasks/cancel`, and the params of `notifications/tasks/status`. */
export const toldTask = z.strictObject({ ...taskFields, _meta: meta.optional() });

export const listTasksResult = z.strictObject({
  tasks: z.array(wireTask),
  nextCursor: z.string().optional(),
  _meta: meta.optional(),
});

export const callToolResult = z.strictObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  structuredContent: record.optional(),
  isError: z.boolean().optional(),
  _meta: meta.optional(),
});
export type CallToolResult = z.output<typeof callToolResult>;

export function textOf({ content }: CallToolResult): string {
  return content.map(({ text }) => text ?? "").join("");
}

export const progressParams = z.strictObject({
  progressToken: id,
  progress: z.number(),
  total: z.number().optional(),
  message: z.string().optional(),
  _meta: meta.optional(),
});

/** The task that a message says it belongs to. */
export function relatedTaskOf(message: { readonly _meta?: unknown } | undefined): unknown {
  const parsed = z.object({ [relatedTask]: z.strictObject({ taskId: z.string() }) }).safeParse(message?._meta);
  return parsed.success ? parsed.data[relatedTask]?.taskId : undefined;
}
