import type { FastifyRequest } from "fastify";
import type { Caller } from "../../engine/caller";
import type { Scope } from "../../engine/task-service";

export const base = "/lmsp/v1";
export const job = "respond";

/** The tasks that LMSP knows: those made to be found again, whose job answers a response request. */
export const taskScope: Scope = { jobs: [job], listed: true };

export function callerOf(request: FastifyRequest): Caller {
  return { client: request.client, says: request.headers["user-agent"]?.slice(0, 256) ?? null };
}
