import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { taskStatuses } from "../../shared/lifecycle";
import { questionTypes } from "../../shared/question";
import type { TaskQuery, TaskStore } from "../engine/store";
import { everythingOf } from "./contract";
import { openDatabase } from "./database";
import { MemoryStore } from "./memory-store";
import { sampleChange, sampleDelta, sampleEvent, sampleQuestion, sampleTask } from "./sample";
import { SqliteStore } from "./sqlite-store";

type Operation = (store: TaskStore) => unknown;

const folder = mkdtempSync(join(tmpdir(), "simmer-store-"));
let files = 0;

afterAll(() => rmSync(folder, { recursive: true }));

/** Few values of each kind, so that the operations meet. */
const id = fc.constantFrom("t0", "t1", "t2", "t3", "t4");
const questionId = fc.constantFrom("q0", "q1", "q2", "\ud83d");
const client = fc.constantFrom("a", "b", "\ud800");
const job = fc.constantFrom("respond", "summarize");
const model = fc.constantFrom("m", "n", "\u0000");
const status = fc.constantFrom(...taskStatuses);
const small = fc.nat(6);
const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<null>;
const outcome = fc.option(fc.string({ unit: "binary" }).map((reason) => ({ kind: "cancelled", reason }) as const));

const task = fc.record({
  client,
  job,
  model: fc.option(model),
  status,
  listed: fc.boolean(),
  ttl: fc.option(small),
  createdAt: small,
  updatedAt: small,
  rev: small,
  title: fc.string({ unit: "binary" }),
  caller: fc.option(fc.string()),
  outcome,
  answers: fc.subarray([...questionTypes]),
  faceData: json,
});
const patch = fc.record(
  { status, model: fc.option(model), attempt: small, updatedAt: small, outcome, lastSeq: small, rev: small },
  { requiredKeys: [] },
);
const query = fc
  .record(
    {
      client,
      jobs: fc.array(job),
      listed: fc.boolean(),
      statuses: fc.array(status),
      beforeRow: fc.nat(12),
      limit: small,
    },
    { requiredKeys: ["limit"] },
  )
  .map((asked): TaskQuery => asked);
const key = fc.option(fc.record({ key: fc.constantFrom("k", "", "\udfff"), fingerprint: fc.constantFrom("f", "g") }));

const operation: fc.Arbitrary<readonly [string, Operation]> = fc.oneof(
  {
    weight: 3,
    arbitrary: named("insert", fc.tuple(id, task, json, key), (store, [name, given, input, idempotency]) =>
      store.insert(sampleTask(name, given), input, idempotency),
    ),
  },
  {
    weight: 3,
    arbitrary: named("update", fc.tuple(id, status, patch), (store, [name, from, to]) => store.update(name, from, to)),
  },
  {
    weight: 2,
    arbitrary: named(
      "addEvents",
      fc.tuple(id, fc.uniqueArray(small), fc.string({ unit: "binary" })),
      (store, [name, seqs, text]) => store.addEvents(seqs.map((seq) => sampleEvent(name, seq, sampleDelta(text)))),
    ),
  },
  named("addChange", fc.tuple(id, status, small), (store, [name, to, rev]) =>
    store.addChange(sampleChange(name, { to, rev })),
  ),
  named("addStep", fc.tuple(id, fc.constantFrom("s", "r", ""), json), (store, [name, step, result]) =>
    store.addStep(name, step, result),
  ),
  named("addQuestion", fc.tuple(id, questionId, json, small), (store, [name, question, request, askedAt]) =>
    store.addQuestion(
      sampleQuestion(name, question, { body: { type: "sampling", request: { request } }, to: ["person"], askedAt }),
    ),
  ),
  named("answerQuestion", fc.tuple(questionId, client, json, small), (store, [question, by, content, at]) =>
    store.answerQuestion(question, { answer: { action: "accept", content }, by, at }),
  ),
  named("dropAttempt", id, (store, name) => store.dropAttempt(name)),
  named("expireEvents", fc.tuple(small, small), (store, [before, limit]) => store.expireEvents(before, limit)),
  named("remove", id, (store, name) => store.remove(name)),
  named("putClient", fc.tuple(client, fc.option(fc.constantFrom("00", "ff")), small), (store, [name, tokenHash, at]) =>
    store.putClient({ name, tokenHash, limits: { x: at }, createdAt: at, lastSeenAt: null }),
  ),
  named("touchClient", fc.tuple(client, small), (store, [name, at]) => store.touchClient(name, at)),
  named("tasks", query, (store, asked) => store.tasks(asked)),
  named("tasksAfter", fc.tuple(fc.nat(12), small), (store, [row, limit]) => store.tasksAfter(row, limit)),
  named("expired", fc.tuple(small, small), (store, [before, limit]) => store.expired(before, limit)),
  named("overdue", fc.tuple(small, small), (store, [now, limit]) => store.overdue(now, limit)),
  named("events", fc.tuple(id, fc.integer({ min: -1, max: 6 }), small), (store, [name, after, limit]) =>
    store.events(name, after, limit),
  ),
  named("byIdempotencyKey", fc.tuple(client, fc.constantFrom("k", "", "\udfff")), (store, [name, asked]) =>
    store.byIdempotencyKey(name, asked),
  ),
  named("lastUsedModel", fc.array(model), (store, models) => store.lastUsedModel(models)),
);

/** Some in a transaction, which may be thrown away at its end. */
const step = fc.oneof(
  { weight: 3, arbitrary: operation.map((one) => ({ kind: "alone", operations: [one] }) as const) },
  {
    weight: 2,
    arbitrary: fc.array(operation, { maxLength: 5 }).map((operations) => ({ kind: "kept", operations }) as const),
  },
  {
    weight: 1,
    arbitrary: fc.array(operation, { maxLength: 5 }).map((operations) => ({ kind: "lost", operations }) as const),
  },
);

test("whatever is done, in transactions and without, both stores answer the same and hold the same", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      files += 1;
      const path = join(folder, `${files}.db`);
      const memory = new MemoryStore();
      let sqlite = new SqliteStore(openDatabase(path).database);
      try {
        for (const { kind, operations } of steps) {
          expect(answersOf(sqlite, kind, operations)).toEqual(answersOf(memory, kind, operations));
          expect(everythingOf(sqlite)).toEqual(everythingOf(memory));
        }
        sqlite.close();
        sqlite = new SqliteStore(openDatabase(path).database);
        expect(everythingOf(sqlite)).toEqual(everythingOf(memory));
      } finally {
        sqlite.close();
      }
    }),
    { numRuns: 40 },
  );
}, 120_000);

function named<T>(
  name: string,
  values: fc.Arbitrary<T>,
  work: (store: TaskStore, value: T) => unknown,
): fc.Arbitrary<readonly [string, Operation]> {
  return values.map((value) => [`${name} ${fc.stringify(value)}`, (store: TaskStore) => work(store, value)] as const);
}

/** A refused operation counts as an answer, and the transaction goes on. */
function answersOf(
  store: TaskStore,
  kind: "alone" | "kept" | "lost",
  operations: readonly (readonly [string, Operation])[],
) {
  const answers: unknown[] = [];
  const work = () => {
    for (const [name, run] of operations) answers.push([name, answerOf(() => run(store))]);
    if (kind === "lost") throw new Error("lost");
  };
  if (kind === "alone") work();
  else answers.push(answerOf(() => store.transaction("written", work)));
  return answers;
}

function answerOf(work: () => unknown): unknown {
  try {
    return work() ?? "nothing";
  } catch {
    return "refused"; // why is the store's own affair; that it refuses is not
  }
}
