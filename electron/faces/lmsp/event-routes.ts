import { z } from "zod";
import type { TaskService } from "../../engine/task-service";
import type { HttpApp } from "../../http/app";
import { streamSse } from "../../http/sse";
import { base, callerOf, taskScope } from "./caller";
import { eventCursor } from "./cursors";
import { refusals, taskParams } from "./schemas";
import { projectEvents } from "./stream";

const description =
  "Server-sent events: those the reader missed, then live ones, to the one final event. `Last-Event-ID` or " +
  "`starting_after` is the number of the last event the reader has; 204 when that was the final one.";

/** LMSP 7.4. A reader that leaves stops nothing but its own stream. */
export function eventRoutes(app: HttpApp, service: TaskService): void {
  const schema = {
    summary: "Follow a task's events",
    description,
    tags: ["tasks"],
    params: taskParams,
    headers: z.looseObject({ "last-event-id": z.string().optional() }),
    querystring: z.object({ starting_after: z.string().optional() }),
    response: {
      200: { description: "The events.", content: { "text/event-stream": { schema: z.string() } } },
      204: z.null().describe("There are no events after the cursor and there will be none."),
      ...refusals,
    },
  };
  app.get(`${base}/tasks/:id/events`, { schema }, async (request, reply) => {
    const caller = callerOf(request);
    const { id } = request.params;
    const after = eventCursor(request.headers["last-event-id"], request.query.starting_after);
    const call = app.openCalls.openStream(request.credential, reply.raw);
    try {
      const task = service.current(caller, taskScope, id);
      const follow = service.follow(caller, taskScope, id, after, call.signal);
      if (follow.kind === "ended") return reply.code(204).send(null);
      const current = () => service.current(caller, taskScope, id);
      await streamSse(reply, projectEvents(task, follow.events, current), call.signal);
    } finally {
      call.close();
    }
  });
}
