import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { ProblemError } from "../../../shared/problem";
import type { Idempotency } from "../../engine/store";
import type { TaskDraft, TaskService } from "../../engine/task-service";
import type { HttpApp } from "../../http/app";
import { isRepeated } from "../../http/repeated-header";
import { base, callerOf, taskScope } from "./caller";
import { listCursor, rowOfListCursor } from "./cursors";
import { idempotencyHeaders, idempotencyOf } from "./idempotency";
import { respondDraft } from "./job-input";
import { fieldRule, type TaskRequest, taskRequestSchema } from "./request";
import { type ListObject, refusals, taskListSchema, taskParams, taskSchema } from "./schemas";
import { lmspStatuses, statusesThatShowAs } from "./statuses";
import { taskObject, taskUrl } from "./wire";

const tags = ["tasks"];

/** LMSP 7.1 and 7.3: create, read, list, cancel. */
export function taskRoutes(app: HttpApp, service: TaskService, maxOutputTokens: number): void {
  const body = taskRequestSchema(maxOutputTokens);
  const create = {
    summary: "Create a task",
    description: `Answers once the task is stored. ${fieldRule} \`stream\` is ignored.`,
    tags,
    body,
    headers: idempotencyHeaders,
    response: { 202: taskSchema, ...refusals },
  };
  app.post(`${base}/tasks`, { schema: create }, async (request, reply) => {
    if (isRepeated(request.raw, "idempotency-key"))
      throw new ProblemError("invalid_request", "idempotency-key: must come once");
    const idempotency = idempotencyOf(request.headers["idempotency-key"], request.body);
    const draft = draftOf(request.body, idempotency);
    const { task } = await service.create(callerOf(request), draft);
    return reply.code(202).header("location", taskUrl(task.id)).send(taskObject(task));
  });

  const read = { summary: "Read a task", tags, params: taskParams, response: { 200: taskSchema, ...refusals } };
  app.get(`${base}/tasks/:id`, { schema: read }, async (request) =>
    taskObject(service.get(callerOf(request), taskScope, request.params.id)),
  );

  const list = {
    summary: "List tasks",
    tags,
    querystring: listQuery,
    response: { 200: taskListSchema, ...refusals },
  };
  app.get(`${base}/tasks`, { schema: list }, async (request) => listTasks(request, request.query, service));

  void app.register(async (scope) => cancelRoute(scope, service));
}

function cancelRoute(app: HttpApp, service: TaskService): void {
  // LMSP 7.3 gives a cancel no body; one that comes is not even read, whatever it calls itself.
  app.addHook("preParsing", async (request) => {
    delete request.raw.headers["content-type"];
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  const response = { 200: taskSchema, ...refusals };
  const schema = { summary: "Cancel a task", tags, params: taskParams, response };
  app.post(`${base}/tasks/:id/cancel`, { schema }, async (request) =>
    taskObject(service.cancel(callerOf(request), taskScope, request.params.id)),
  );
}

function draftOf({ input, on_restart }: TaskRequest, idempotency: Idempotency | null): TaskDraft {
  // LMSP 7.5: a client that chooses retry must send a key.
  if (on_restart === "retry" && idempotency === null)
    throw new ProblemError("idempotency_key_required", 'on_restart: "retry" needs the header Idempotency-Key');
  return { ...respondDraft(input), listed: true, onRestart: on_restart, idempotency };
}

const listQuery = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, { error: "must be a number from 1 to 100" })
    .transform(Number)
    .pipe(z.int().min(1).max(100))
    .default(20),
  cursor: z.string().optional().describe("The `next_cursor` of the page before."),
  status: z
    .union([z.enum(lmspStatuses), z.array(z.enum(lmspStatuses)).min(1)], {
      error: `must be one of ${lmspStatuses.join(", ")}`,
    })
    .optional(),
});

function listTasks(
  request: FastifyRequest,
  { limit, cursor, status }: z.output<typeof listQuery>,
  service: TaskService,
): ListObject {
  // One more than asked for tells whether there is another page.
  const tasks = service.list(callerOf(request), taskScope, {
    limit: limit + 1,
    ...(cursor === undefined ? {} : { beforeRow: rowOfListCursor(cursor) }),
    ...(status === undefined ? {} : { statuses: statusesThatShowAs([status].flat()) }),
  });
  const page = tasks.slice(0, limit);
  const last = tasks.length > limit ? page.at(-1) : undefined;
  return {
    object: "list",
    data: page.map(taskObject),
    next_cursor: last === undefined ? null : listCursor(last.row),
  };
}
