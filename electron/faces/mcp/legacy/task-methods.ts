import type { Result } from "@modelcontextprotocol/server";
import type { Task } from "../../../../shared/task";
import { invalidParams } from "../errors";
import type { FaceParts } from "../face-parts";
import type { SeenStatus } from "../projection/statuses";
import { type LegacyTask, legacyTask } from "../projection/task-object";
import { viewOf } from "../projection/task-view";
import type { OpenSession } from "./open-session";

/** Every task of the client that was made to be found again, whichever face made it. */
export const taskScope = { listed: true } as const;

const terminal: ReadonlySet<SeenStatus> = new Set<SeenStatus>(["completed", "failed", "cancelled"]);

export function getTask(parts: FaceParts, session: OpenSession, id: string): Result {
  return { ...shown(parts, session, parts.service.get(session.caller, taskScope, id)) };
}

/** Newest first. */
export function listTasks(parts: FaceParts, session: OpenSession, cursor: unknown): Result {
  const { client } = session.caller;
  const { items, ...rest } = parts.cursors.page("tasks", client, cursor, (query) =>
    parts.service.list(session.caller, taskScope, query),
  );
  return { tasks: items.map((task) => shown(parts, session, task)), ...rest };
}

/** 2025-11-25: a task that has ended is refused, and the answer to a cancel shows a cancelled task. */
export function cancelTask(parts: FaceParts, session: OpenSession, id: string): Result {
  const { service } = parts;
  const { status } = shown(parts, session, service.current(session.caller, taskScope, id));
  if (terminal.has(status)) throw invalidParams(`Cannot cancel task: already in terminal status '${status}'`);
  return { ...shown(parts, session, service.cancel(session.caller, taskScope, id)) };
}

function shown({ service, clock }: FaceParts, { caller, answers }: OpenSession, task: Task): LegacyTask {
  return legacyTask(viewOf(service, caller, task, answers, clock.now()));
}
