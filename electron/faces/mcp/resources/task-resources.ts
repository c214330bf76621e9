import {
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { ProblemError } from "../../../../shared/problem";
import type { Task } from "../../../../shared/task";
import type { Caller } from "../../../engine/caller";
import type { TaskService } from "../../../engine/task-service";
import type { ListCursors, ListPage } from "../list-cursor";
import { toolOutcome } from "../projection/tool-result";

const prefix = "simmer://tasks/";
const list = "resources";
const scope = { listed: true } as const;

export const taskResourceTemplate: ResourceTemplateType = {
  uriTemplate: `${prefix}{id}`,
  name: "task",
  title: "Result of a task",
  description: "What a finished task of this client has written.",
};

/** The client's finished tasks, as resources. */
export class TaskResources {
  readonly #service: TaskService;
  readonly #cursors: ListCursors;

  constructor(service: TaskService, cursors: ListCursors) {
    this.#service = service;
    this.#cursors = cursors;
  }

  /** Newest first. Throws -32602 for a cursor that is none. */
  list(caller: Caller, cursor: unknown): ListPage<Resource> {
    const { items, ...rest } = this.#cursors.page(list, caller.client, cursor, (query) =>
      this.#service.list(caller, scope, { ...query, statuses: ["succeeded"] }),
    );
    return { items: items.map(resourceOf), ...rest };
  }

  /** Throws -32602 for what is no finished task of this client. */
  read(caller: Caller, uri: string): ReadResourceResult {
    const task = uri.startsWith(prefix) ? this.#finished(caller, uri.slice(prefix.length)) : undefined;
    const outcome = task && toolOutcome(task);
    if (task === undefined || outcome?.kind !== "result") throw new ResourceNotFoundError(uri);
    this.#service.retrieved(caller, task);
    const text = outcome.result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n\n");
    return { contents: [{ uri, mimeType: mimeType(task), text }] };
  }

  #finished(caller: Caller, id: string): Task | undefined {
    try {
      const task = this.#service.current(caller, scope, id);
      return task.status === "succeeded" ? task : undefined;
    } catch (error) {
      if (error instanceof ProblemError && error.problem.code === "task_not_found") return undefined;
      throw error;
    }
  }
}

function resourceOf(task: Task): Resource {
  return {
    uri: `${prefix}${task.id}`,
    name: task.id,
    title: task.title,
    mimeType: mimeType(task),
    annotations: { lastModified: new Date(task.updatedAt).toISOString() },
  };
}

/** What has no text of its own is told as JSON. */
function mimeType({ outcome }: Task): string {
  const hasText = outcome?.kind === "result" && outcome.result.items.some(({ type }) => type === "message");
  return hasText ? "text/plain" : "application/json";
}
