import fc from "fast-check";
import type { EventBody } from "../../shared/event";
import type { Json } from "../../shared/json";
import { isTerminal, restartPolicies, taskStatuses } from "../../shared/lifecycle";
import { questionTypes } from "../../shared/question";
import { finishes, type Outcome, taskOrigins } from "../../shared/task";
import type { TaskStore } from "../engine/store";
import { sampleChange, sampleEvent, sampleQuestion, sampleTask } from "../store/sample";

/** Whatever a store can hold: any text, any JSON, events and changes of many tasks in one order of commits. */
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("\u2028\r\n", "\ud800", "👩‍👩‍👧"),
);
const anyJson = fc
  .jsonValue({ maxDepth: 3, stringUnit: "binary" })
  .map((value): Json => JSON.parse(JSON.stringify(value)));
const time = fc.nat(2_000_000_000_000);
const usage = fc.record({ inputTokens: fc.nat(9), outputTokens: fc.nat(9) });
const item = fc.record({ id: fc.constantFrom("msg_1", "rs_2"), type: fc.constantFrom("message", "reasoning") });
const place = { index: fc.nat(3), item };

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({
    kind: fc.constant("result" as const),
    result: fc.record(
      {
        items: fc.array(fc.record({ id: anyText, type: fc.constantFrom("message", "reasoning"), text: anyText })),
        finish: fc.constantFrom(...finishes),
        usage,
        data: anyJson,
      },
      { requiredKeys: ["items", "finish", "usage"] },
    ),
  }),
  fc.record({
    kind: fc.constant("error" as const),
    problem: fc.record(
      { code: fc.constantFrom("internal", "server_restarted"), detail: anyText, retryAfter: fc.nat(9) },
      { requiredKeys: ["code", "detail"] },
    ),
  }),
  fc.record({ kind: fc.constant("cancelled" as const), reason: anyText }),
);

const tokens = fc.array(fc.nat(50_000), { maxLength: 3 });
const body: fc.Arbitrary<EventBody> = fc.oneof(
  fc.constantFrom<EventBody>({ type: "created" }, { type: "created", model: null }, { type: "ended" }),
  fc.record({ type: fc.constant("started" as const), attempt: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ type: fc.constantFrom("item_opened" as const, "part_opened" as const), ...place }),
  fc.record({ type: fc.constantFrom("delta" as const, "text_closed" as const), ...place, text: anyText, tokens }),
  fc.record({ type: fc.constant("part_closed" as const), ...place, text: anyText }),
  fc.record(
    {
      type: fc.constant("item_closed" as const),
      ...place,
      text: anyText,
      whole: fc.record({ finish: fc.constantFrom(...finishes), usage }),
    },
    { requiredKeys: ["type", "index", "item", "text"] },
  ),
);

const answered = fc.record({
  answer: fc.oneof(
    fc.record({ action: fc.constant("accept" as const), content: anyJson }),
    fc.constantFrom({ action: "decline" as const }, { action: "cancel" as const }),
  ),
  by: anyText,
  at: time,
});

const task = fc.record({
  client: fc.constantFrom("a", "desktop", "agent-1"),
  caller: fc.option(anyText),
  origin: fc.constantFrom(...taskOrigins),
  listed: fc.boolean(),
  job: fc.constantFrom("respond", "batch"),
  title: anyText,
  model: fc.option(anyText),
  status: fc.constantFrom(...taskStatuses),
  onRestart: fc.constantFrom(...restartPolicies),
  attempt: fc.integer({ min: 1, max: 4 }),
  createdAt: time,
  updatedAt: time,
  responseId: anyText,
  ttl: fc.option(fc.nat(1_000)),
  answers: fc.subarray([...questionTypes]),
  faceData: anyJson,
  outcome,
  eventsExpired: fc.boolean(),
});

/** One commit of a task: which, with how many changes and which events; a gap in front of it, as a retry leaves. */
const commit = fc.record({
  of: fc.nat(5),
  change: fc.option(fc.record({ to: fc.constantFrom(...taskStatuses), at: time, reason: fc.option(anyText) })),
  events: fc.array(fc.record({ body, at: time }), { maxLength: 4 }),
  gap: fc.nat(2),
});

export const storeContent = fc.record({
  tasks: fc.array(
    fc.record({
      task,
      input: anyJson,
      key: fc.option(fc.record({ key: anyText, fingerprint: anyText })),
      steps: fc.dictionary(anyText, anyJson, { maxKeys: 3 }),
      questions: fc.array(
        fc.record({ key: anyText, request: fc.dictionary(fc.string(), anyJson), answered: fc.option(answered) }),
        {
          maxLength: 2,
        },
      ),
    }),
    { maxLength: 6 },
  ),
  commits: fc.array(commit, { maxLength: 30 }),
  clients: fc.uniqueArray(
    fc.record({ name: fc.constantFrom("a", "b.c"), limit: fc.nat(9), lastSeenAt: fc.option(time) }),
    {
      selector: ({ name }) => name,
    },
  ),
});

type Content = typeof storeContent extends fc.Arbitrary<infer T> ? T : never;

/** The id of the sample with this number. */
export function sampleId(index: number): string {
  return `task_${String(index).padStart(26, "0")}`;
}

export function fillStore(store: TaskStore, { tasks, commits, clients }: Content): void {
  store.transaction("written", () => {
    const lastSeqs = tasks.map(() => -1);
    const events = commits.map(({ of, gap, events: given }) => {
      const index = of % Math.max(1, tasks.length);
      return given.map(({ body, at }, place) => {
        const seq = (lastSeqs[index] ?? 0) + 1 + (place === 0 ? gap : 0);
        lastSeqs[index] = seq;
        return { ...sampleEvent(sampleId(index), seq, body), at };
      });
    });
    const keys = new Set<string>();
    for (const [index, { task, input, key, steps, questions }] of tasks.entries()) {
      const id = sampleId(index);
      const isNew = key !== null && !keys.has(`${task.client} ${key.key}`);
      if (isNew) keys.add(`${task.client} ${key.key}`);
      const ended = isTerminal(task.status) ? {} : { outcome: null };
      const lastSeq = Math.max(0, lastSeqs[index] ?? 0);
      store.insert({ ...sampleTask(id, { ...task, ...ended, lastSeq }), rev: index + 1 }, input, isNew ? key : null);
      for (const [step, result] of Object.entries(steps)) store.addStep(id, step, result);
      for (const [number, { key: asked, request, answered: answer }] of questions.entries())
        store.addQuestion(
          sampleQuestion(id, `q_${index}_${number}`, {
            key: asked,
            body: { type: "sampling", request },
            answered: answer,
          }),
        );
    }
    if (tasks.length === 0) return;
    for (const [number, { of, change }] of commits.entries()) {
      const rev = tasks.length + 1 + number;
      const taskId = sampleId(of % tasks.length);
      if (change !== null) store.addChange(sampleChange(taskId, { ...change, rev }));
      store.addEvents((events[number] ?? []).map((event) => ({ ...event, rev })));
    }
    for (const { name, limit, lastSeenAt } of clients)
      store.putClient({ name, tokenHash: "5ec3e7", limits: { "limits.queue": limit }, createdAt: 1, lastSeenAt });
  });
}
