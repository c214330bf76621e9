import fc from "fast-check";
import { type CallName, contract } from "../../shared/desktop/contract";

/** One call of a page. It goes by structured clone, so it may hold more than JSON. */
export interface DesktopCall {
  readonly name: unknown;
  readonly input: unknown;
}

const id = fc.nat(40).map((index) => ({ task: index }));
const client = fc.record({ name: fc.constantFrom("agent", "other agent", "local", "desktop", "none") });

const inputs = {
  snapshot: fc.constant(null),
  watch: fc.record({ id }),
  unwatch: fc.constant(null),
  create: fc.record(
    {
      prompt: fc.constantFrom("Hi", "Write a long report about bees."),
      system: fc.constantFrom("", "Be brief."),
      model: fc.constantFrom(null, "writer", "asker", "none"),
      maxTokens: fc.constantFrom(null, 1, 100),
      temperature: fc.constantFrom(null, 0, 2),
      schema: fc.constantFrom(null, {}, { type: "string" }),
      onRestart: fc.constantFrom("fail" as const, "retry" as const, "resume" as const),
    },
    { requiredKeys: ["prompt"] },
  ),
  cancel: fc.record({ id }),
  answer: fc.record({
    id,
    questionId: fc.nat(20).map((index) => ({ question: index })),
    answer: fc.constantFrom(
      { action: "accept", content: { answer: "yes" } },
      { action: "decline" },
      { action: "cancel" },
    ),
  }),
  models: fc.constant(null),
  clients: fc.constant(null),
  createClient: client,
  rotateClient: client,
  revokeClient: client,
  forgiveModel: fc.record({ model: fc.constantFrom("writer", "none") }),
  preferences: fc.constant(null),
  setPreferences: fc.record({ theme: fc.constantFrom("system", "light", "dark") }),
  copy: fc.record({ text: fc.string() }),
} as const satisfies Record<CallName, fc.Arbitrary<unknown>>;

const names = Object.keys(contract);

/** All that structured clone can carry, the forms that nobody expects above all. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withNullPrototype: true,
    maxDepth: 3,
  }),
  fc.constantFrom<unknown[]>(
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -0,
    undefined,
    2n ** 64n,
    new Date(Number.NaN),
    "\ud800",
    "\0",
    "__proto__",
  ),
  fc.constantFrom(65, 10_000, 5_000_000).map((length) => "x".repeat(length)),
  fc.constantFrom(1_000, 10_000).map(nested),
  fc.constant(null).map(circular),
);

const valid = fc
  .constantFrom(...(Object.keys(inputs) as CallName[]))
  .chain((name) => inputs[name].map((input): DesktopCall => ({ name, input })));

/** Calls of the window: valid ones, valid ones with a field that is wrong, and whatever a page could send besides. */
export const desktopCalls: fc.Arbitrary<DesktopCall> = fc.oneof(
  { weight: 4, arbitrary: valid },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        valid,
        fc.oneof(
          fc.constantFrom("id", "name", "prompt", "model", "answer", "schema", "maxTokens", "text", "__proto__"),
          fc.string(),
        ),
        odd,
      )
      .map(([{ name, input }, key, value]) => ({ name, input: withOwn(input, key, value) })),
  },
  { weight: 2, arbitrary: fc.record({ name: fc.constantFrom(...names), input: odd }) },
  {
    weight: 1,
    arbitrary: fc.record({
      name: fc.oneof(fc.constantFrom("constructor", "__proto__", "toString", ""), odd),
      input: odd,
    }),
  },
);

/** A field of that very name, `__proto__` too. */
function withOwn(input: unknown, key: string, value: unknown): object {
  return Object.defineProperty({ ...(input as object | null) }, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

function circular(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}
