import { RELATED_TASK_META_KEY } from "@modelcontextprotocol/server";

/** 2025-11-25: whatever belongs to a task says so, but for the answers whose task is told otherwise. */
export function aboutTask(taskId: string): { readonly _meta: Readonly<Record<string, { readonly taskId: string }>> } {
  return { _meta: { [RELATED_TASK_META_KEY]: { taskId } } };
}
