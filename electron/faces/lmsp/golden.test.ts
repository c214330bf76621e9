import { describe, expect, it } from "vitest";
import type { EventBody } from "../../../shared/event";
import { taskStatuses } from "../../../shared/lifecycle";
import type { Outcome, Task } from "../../../shared/task";
import { encodeSse } from "../../http/sse";
import { projectEvent } from "./events";
import { responseSchema, taskSchema } from "./schemas";
import { modelObject } from "./service-routes";
import { statusesThatShowAs, statusOf } from "./statuses";
import { responseObject, taskObject } from "./wire";

const message = { id: "msg_01J8M8R6A2C5E8G1J4M7P0S3VY", type: "message" } as const;
const reasoning = { id: "rs_01J8M8R6A2C5E8G1J4M7P0S3VZ", type: "reasoning" } as const;

const queued: Task = {
  id: "task_01J8M8R5X3V7B2N4Q9T1W6Y0ZC",
  row: 7,
  client: "local",
  caller: "curl/8",
  origin: "lmsp",
  listed: true,
  job: "respond",
  title: "Write a long report.",
  model: "qwen3-14b",
  status: "queued",
  onRestart: "fail",
  attempt: 1,
  createdAt: 1_794_200_100_999,
  updatedAt: 1_794_200_100_999,
  responseId: "resp_01J8M8R5X4B9D2F6H1K3N7Q0ZW",
  ttl: null,
  answers: [],
  faceData: null,
  outcome: null,
  lastSeq: 0,
  eventsExpired: false,
  rev: 1,
};

const usage = { inputTokens: 12, outputTokens: 1_480 };
const items = [
  { ...reasoning, text: "A report, then." },
  { ...message, text: '本地模型 🦙\n"quoted"' },
];
const outcomes = {
  completed: { kind: "result", result: { items, finish: "completed", usage } },
  incomplete: { kind: "result", result: { items: items.slice(1), finish: "max_output_tokens", usage } },
  "context-full": { kind: "result", result: { items: items.slice(1), finish: "context_length", usage } },
  failed: {
    kind: "error",
    problem: { code: "server_restarted", detail: "The service restarted before the task ended." },
  },
  cancelled: { kind: "cancelled", reason: "cancelled by its client" },
} as const satisfies Record<string, Outcome>;

function ended(name: keyof typeof outcomes): Task {
  const outcome = outcomes[name];
  const status = ({ result: "succeeded", error: "failed", cancelled: "cancelled" } as const)[outcome.kind];
  return { ...queued, status, outcome, updatedAt: queued.createdAt + 62_000 };
}

const golden = (name: string) => `${import.meta.dirname}/golden/${name}`;
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

describe("the wire format, by its golden files", () => {
  it("of a queued task", async () => {
    await expect(json(taskObject(queued))).toMatchFileSnapshot(golden("task-queued.json"));
  });

  it.each(Object.keys(outcomes) as (keyof typeof outcomes)[])("of a task that ended as %s", async (name) => {
    await expect(json(taskObject(ended(name)))).toMatchFileSnapshot(golden(`task-${name}.json`));
  });

  it("of a whole stream, with thinking and a second attempt", async () => {
    const bodies: EventBody[] = [
      { type: "created" },
      { type: "started", attempt: 1 },
      { type: "started", attempt: 2 },
      ...[reasoning, message].flatMap((item, index): EventBody[] => {
        const text = items[index]?.text ?? "";
        return [
          { type: "item_opened", index, item },
          { type: "part_opened", index, item },
          { type: "delta", index, item, text, tokens: [1, 2] },
          { type: "text_closed", index, item, text, tokens: [] },
          { type: "part_closed", index, item, text },
          { type: "item_closed", index, item, text },
        ];
      }),
      { type: "ended" },
    ];
    const task = ended("completed");
    const frames = bodies.map((body, seq) =>
      encodeSse(projectEvent(task, { taskId: task.id, seq, rev: 9, at: 9, body })),
    );
    await expect(frames.join("")).toMatchFileSnapshot(golden("stream.sse"));
  });

  it("of each final event", async () => {
    const frames = (Object.keys(outcomes) as (keyof typeof outcomes)[]).map((name) =>
      encodeSse(projectEvent(ended(name), { taskId: queued.id, seq: 9, rev: 9, at: 9, body: { type: "ended" } })),
    );
    await expect(frames.join("")).toMatchFileSnapshot(golden("final-events.sse"));
  });

  it("of a model", async () => {
    const model = {
      id: "simmer-demo",
      embedded: true,
      sizeBytes: 4_200_000,
      contextLength: 512,
      default: true,
      loaded: false,
      putAside: null,
    };
    await expect(json(modelObject(model))).toMatchFileSnapshot(golden("model.json"));
  });
});

describe("the projection of a task", () => {
  it("has exactly the documented fields, whatever its status and outcome", () => {
    for (const status of taskStatuses)
      expect(taskSchema.parse(taskObject({ ...queued, status })).status).toBe(statusOf[status]);
    for (const name of Object.keys(outcomes) as (keyof typeof outcomes)[]) {
      const object = taskObject(ended(name));
      expect(taskSchema.parse(object)).toEqual(object);
      expect(Object.keys(object)).toHaveLength(11);
      expect(responseSchema.parse(responseObject(ended(name)))).toEqual(responseObject(ended(name)));
    }
  });

  it("shows an open question as running, and finds it by that status", () => {
    expect(statusOf.input_required).toBe("running");
    expect(statusesThatShowAs(["running", "failed"])).toEqual(["running", "input_required", "failed"]);
  });

  it("of an event is the same before and after the task has ended", () => {
    const event = { taskId: queued.id, seq: 0, rev: 1, at: 1, body: { type: "created" } } as const;
    expect(projectEvent({ ...ended("failed"), attempt: 3, lastSeq: 40, rev: 50 }, event)).toEqual(
      projectEvent(queued, event),
    );
  });

  it("of an event from before the model was chosen names none, also when it has been", () => {
    for (const body of [
      { type: "created", model: null } as const,
      { type: "started", attempt: 1, model: null } as const,
    ]) {
      const { data } = projectEvent({ ...queued, model: "m" }, { taskId: queued.id, seq: 0, rev: 1, at: 1, body });
      expect(JSON.parse(data).response.model).toBeNull();
    }
  });

  it("of the final event is refused while there is no outcome to tell", () => {
    const event = { taskId: queued.id, seq: 1, rev: 1, at: 1, body: { type: "ended" } } as const;
    expect(() => projectEvent(queued, event)).toThrow("no outcome");
  });
});
