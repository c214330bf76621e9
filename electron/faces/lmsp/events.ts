import type { EventBody, TaskEvent } from "../../../shared/event";
import type { OutputType, Task } from "../../../shared/task";
import type { SseMessage } from "../../http/sse";
import { itemWith, partObject, responseObject, unfinishedResponse } from "./wire";

/**
 * An event of the store as LMSP 7.4 sends it. A pure function of the event and of what never changes in its task (its
 * ids; the outcome once the final event exists), so every replay is the same to the byte.
 */
export function projectEvent(task: Task, event: TaskEvent): SseMessage {
  const project = projections[event.body.type] as (task: Task, body: EventBody) => Projection;
  const { type, ...fields } = project(task, event.body);
  const data = JSON.stringify({ type, sequence_number: event.seq, ...fields });
  return { id: String(event.seq), event: type, data };
}

type Projection = { readonly type: string } & Readonly<Record<string, unknown>>;
type Projections = {
  readonly [Type in EventBody["type"]]: (task: Task, body: Extract<EventBody, { type: Type }>) => Projection;
};

const projections = {
  created: (task, body) => ({ type: "response.created", response: unfinishedResponse({ ...task, ...body }, "queued") }),
  started: (task, { attempt, ...body }) => ({
    type: "response.in_progress",
    response: unfinishedResponse({ ...task, ...body }, "in_progress"),
    // Tells a reader to discard what it had of the attempt before.
    ...(attempt > 1 ? { attempt } : {}),
  }),
  item_opened: (_task, { index, item }) => ({
    type: "response.output_item.added",
    output_index: index,
    item: itemWith(item, []),
  }),
  part_opened: (_task, { index, item }) => ({
    type: "response.content_part.added",
    ...place(index, item.id),
    part: partObject(item.type, ""),
  }),
  delta: (_task, { index, item, text }) => ({
    type: `response.${textOf[item.type]}.delta`,
    ...place(index, item.id),
    delta: text,
  }),
  text_closed: (_task, { index, item, text }) => ({
    type: `response.${textOf[item.type]}.done`,
    ...place(index, item.id),
    text,
  }),
  part_closed: (_task, { index, item, text }) => ({
    type: "response.content_part.done",
    ...place(index, item.id),
    part: partObject(item.type, text),
  }),
  item_closed: (_task, { index, item, text }) => ({
    type: "response.output_item.done",
    output_index: index,
    item: itemWith(item, [partObject(item.type, text)]),
  }),
  ended: (task) => {
    const response = responseObject(task);
    return { type: `response.${response.status}`, response };
  },
} satisfies Projections;

const textOf = { message: "output_text", reasoning: "reasoning_text" } as const satisfies Record<OutputType, string>;

function place(index: number, itemId: string) {
  return { item_id: itemId, output_index: index, content_index: 0 };
}
