import type { ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Task } from "../../../../shared/task";
import type { OpenSession } from "./open-session";

const memoSchema = z.object({
  /** The session of the call. */
  session: z.string(),
  /** 2025-11-25: valid for the whole life of the task. Absent when the call wants no progress. */
  progressToken: z.union([z.string(), z.number()]).optional(),
});

/** What this generation keeps of a call in its task. */
export type TaskMemo = z.output<typeof memoSchema>;

export function memoFor(session: OpenSession, { mcpReq }: ServerContext) {
  const progressToken = mcpReq._meta?.progressToken;
  return { session: session.id, ...(progressToken === undefined ? {} : { progressToken }) };
}

/** Null for a task that was not made by a call of this generation. */
export function memoOf({ origin, faceData }: Task): TaskMemo | null {
  return origin === "mcp" ? (memoSchema.safeParse(faceData).data ?? null) : null;
}
