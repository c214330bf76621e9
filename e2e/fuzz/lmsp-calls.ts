import fc from "fast-check";
import type { ApiCall } from "./api-call";
import type { Loose } from "./hostile-json";

const base = "/lmsp/v1";
const nothing = { headers: [] } as const;

const prompt = fc.constantFrom(
  "Hi",
  "What is the capital of Japan?",
  "Write a long report about bees.",
  "\u{1f41d} 蜂",
);

const item: fc.Arbitrary<Loose> = fc.record({
  type: fc.constant("message"),
  role: fc.constantFrom("system", "developer", "user", "assistant"),
  content: fc.oneof(
    prompt,
    fc.array(fc.record({ type: fc.constantFrom("input_text", "output_text"), text: prompt }), { maxLength: 3 }),
  ),
});

const schema = fc.constantFrom<Loose[]>(
  { type: "object", properties: { answer: { type: "string" } }, required: ["answer"] },
  { type: "array", items: { type: "integer" }, maxItems: 2 },
  { anyOf: [{ type: "string", maxLength: 5 }, { type: "null" }] },
  { type: "string", pattern: "^a{1,4}$" },
  { $ref: "#/$defs/node", $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } } },
);

const format = fc.oneof(
  fc.constantFrom<Loose[]>({ type: "text" }, { type: "json_object" }),
  fc.record({ type: fc.constant("json_schema"), name: fc.constant("x"), strict: fc.boolean(), schema }),
);

/** What both a task and a plain call ask for. */
const request = fc.record(
  {
    input: fc.oneof(prompt, fc.array(item, { minLength: 1, maxLength: 4 })),
    max_output_tokens: fc.integer({ min: 1, max: 12 }),
    model: fc.constantFrom(null, "simmer-demo", "twin-a", "twin-b"),
    instructions: fc.constantFrom("", "Be brief."),
    temperature: fc.double({ min: 0, max: 2, noNaN: true }),
    top_p: fc.double({ min: 0, max: 1, noNaN: true }),
    seed: fc.nat(),
    stop: fc.oneof(fc.constant("."), fc.array(fc.constantFrom("a", " the", "\n"), { minLength: 1, maxLength: 3 })),
    text: fc.record({ format }),
    metadata: fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), { maxKeys: 3 }),
    tools: fc.constant([]),
    stream: fc.boolean(),
  },
  { requiredKeys: ["input", "max_output_tokens"] },
);

const idempotency = fc.option(
  fc.nat(20).map((key): [string, string] => ["idempotency-key", `key ${key}`]),
  { nil: undefined },
);

const create: fc.Arbitrary<ApiCall> = fc
  .record({
    body: fc.record(
      {
        type: fc.constant("response"),
        input: request,
        on_restart: fc.constantFrom("fail", "retry", "resume"),
      },
      { requiredKeys: ["type", "input"] },
    ),
    idempotency,
  })
  .map(({ body, idempotency }) => ({
    method: "POST",
    target: `${base}/tasks`,
    headers: idempotency === undefined ? [] : [idempotency],
    body,
  }));

const respond = request.map((body): ApiCall => ({ method: "POST", target: `${base}/responses`, ...nothing, body }));

const task = fc.oneof(
  { weight: 20, arbitrary: fc.nat(63).map((index) => `{{task ${index}}}`) },
  { weight: 1, arbitrary: fc.constantFrom("{{othertask}}", "task_01ARZ3NDEKTSV4RRFFQ69G5FAV", "task_", "%20") },
);

const read = task.map((id): ApiCall => ({ method: "GET", target: `${base}/tasks/${id}`, ...nothing }));
const cancel = fc
  .tuple(task, fc.constantFrom<Loose[]>({}, null, "text"))
  .map(([id, body]): ApiCall => ({ method: "POST", target: `${base}/tasks/${id}/cancel`, ...nothing, body }));

const number = fc.oneof(
  fc.integer({ min: 0, max: 30 }).map(String),
  fc.constantFrom("-1", "", "1e3", "9007199254740993", "x"),
);

const follow = fc
  .record({ task, header: fc.option(number, { nil: undefined }), query: fc.option(number, { nil: undefined }) })
  .map(
    ({ task, header, query }): ApiCall => ({
      method: "GET",
      target: `${base}/tasks/${task}/events${query === undefined ? "" : `?starting_after=${query}`}`,
      headers: [["accept", "text/event-stream"], ...(header === undefined ? [] : [["last-event-id", header] as const])],
    }),
  );

const query = fc.array(
  fc.oneof(
    number.map((limit) => `limit=${limit}`),
    fc.constantFrom("cursor={{cursor 0}}", "cursor={{cursor 3}}", "cursor=MTA", "cursor=%00", "cursor="),
    fc.constantFrom("status=running", "status=succeeded", "status=working", "status[]=queued", "limit=1&limit=2"),
  ),
  { maxLength: 3 },
);

const list = query.map(
  (parts): ApiCall => ({
    method: "GET",
    target: `${base}/tasks${parts.length > 0 ? `?${parts.join("&")}` : ""}`,
    ...nothing,
  }),
);

const about = fc
  .constantFrom(`${base}/models`, `${base}/capabilities`, "/openapi.json", base, `${base}/nothing`)
  .map((target): ApiCall => ({ method: "GET", target, ...nothing }));

/** Every route of LMSP, in about the proportions in which a client asks. */
export const lmspCalls: fc.Arbitrary<ApiCall> = fc.oneof(
  { weight: 8, arbitrary: create },
  { weight: 3, arbitrary: respond },
  { weight: 3, arbitrary: read },
  { weight: 2, arbitrary: cancel },
  { weight: 4, arbitrary: follow },
  { weight: 2, arbitrary: list },
  { weight: 1, arbitrary: about },
);
