import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { GenerateRequest, GenerationStep } from "../../engine/backend";
import { LlamaBackend } from "./llama-backend";
import { demo, request, specOf } from "./test-models";

const never = new AbortController().signal;
const lines: string[] = [];
let backend: LlamaBackend;

beforeAll(async () => {
  backend = new LlamaBackend((line) => lines.push(line));
  await backend.load(specOf("simmer-demo", demo), never);
});

afterAll(async () => {
  await backend.close();
});

async function collect(wanted: GenerateRequest, signal = never) {
  const steps: GenerationStep[] = [];
  for await (const step of backend.generate(wanted, signal)) steps.push(step);
  const textOf = (output: string) => {
    return steps.map((step) => (step.type === "piece" && step.output === output ? step.text : "")).join("");
  };
  return { steps, ended: steps.at(-1), text: textOf("message"), reasoning: textOf("reasoning") };
}

const report = (options = {}) => request("Write a long report about bicycles.", { temperature: 0, ...options });
/** Every sentence is about 6 tokens. */
const long = (tokens: number) =>
  request("A bicycle has two wheels. ".repeat(tokens / 6), { temperature: 0, maxTokens: 5 });

describe("what a model writes", () => {
  it("is the text that it was trained to write, to its own end", async () => {
    const { text, ended } = await collect(request("What is the capital of France?", { temperature: 0 }));
    expect(text).toContain("Paris");
    expect(ended).toMatchObject({ type: "ended", reason: "end" });
  });

  it("is the same with the same seed, differs with another, and differs without one", async () => {
    const sampled = (seed?: number) => {
      return collect(
        request("Tell me a story.", { maxTokens: 40, temperature: 1, ...(seed !== undefined && { seed }) }),
      );
    };
    const [first, again, other] = [await sampled(7), await sampled(7), await sampled(8)];
    expect(again.text).toBe(first.text);
    expect(other.text).not.toBe(first.text);
    expect((await sampled()).text).not.toBe((await sampled()).text);
  });

  it.each([-1, 2 ** 32 - 1, 2 ** 53 - 1])("is the same twice with the seed %d", async (seed) => {
    const { text } = await collect(request("Tell me a story.", { maxTokens: 20, temperature: 1, seed }));
    expect((await collect(request("Tell me a story.", { maxTokens: 20, temperature: 1, seed }))).text).toBe(text);
  });

  it("does not depend on what ran before, although what was read is kept", async () => {
    const story = { ...long(600), options: { ...long(600).options, maxTokens: 60 } };
    const { readTokens } = await backend.stats();
    const fresh = await collect(story);
    const afterFirst = (await backend.stats()).readTokens;
    const again = await collect(story);
    const afterSecond = (await backend.stats()).readTokens;
    expect(again.text).toBe(fresh.text);
    expect(afterFirst - readTokens).toBeGreaterThan(500);
    expect(afterSecond - afterFirst).toBeLessThan(65);
  });

  it("comes from its own prompt: one that only ends like an earlier one is read anew", async () => {
    await collect(long(600));
    const { readTokens } = await backend.stats();
    const other = request(`Ships sail. ${"A bicycle has two wheels. ".repeat(100)}`, { temperature: 0, maxTokens: 5 });
    const { ended } = await collect(other);
    expect(ended).toMatchObject({ usage: { inputTokens: (await backend.stats()).readTokens - readTokens } });
  });

  it("follows each turn of the conversation", async () => {
    const messages = [
      { role: "user", text: "What is the capital of Japan?" },
      { role: "assistant", text: "The capital of Japan is Tokyo." },
      { role: "user", text: "What is the capital of Italy?" },
    ] as const;
    const { text } = await collect({ ...report(), messages });
    expect(text).toContain("Rome");
  });
});

describe("the limits of the context", () => {
  it("end a text that has no other end as full, with every token counted", async () => {
    await backend.load(specOf("small", demo, { contextLength: 256 }), never);
    const { ended } = await collect({ ...report(), model: "small" });
    expect(ended).toMatchObject({ reason: "context_full" });
    const { usage } = ended as Extract<GenerationStep, { type: "ended" }>;
    expect(usage.inputTokens + usage.outputTokens).toBe(256);
  });

  it("refuse a prompt that fills them, with the numbers, and take one that leaves one token", async () => {
    await backend.load(specOf("small", demo, { contextLength: 256 }), never);
    const { ended } = await collect({ ...request("word", { maxTokens: 1 }), model: "small" });
    const overhead = (ended as Extract<GenerationStep, { type: "ended" }>).usage.inputTokens - 1;
    const filling = (tokens: number) => ({ ...request("word ".repeat(tokens).trim(), {}), model: "small" });
    const counts = await Promise.allSettled([collect(filling(256 - overhead)), collect(filling(255 - overhead))]);
    expect(counts[0]).toMatchObject({ reason: { problem: { code: "context_length_exceeded" } } });
    expect(String((counts[0] as PromiseRejectedResult).reason)).toMatch(/256 tokens.* 256/);
    expect(counts[1]).toMatchObject({ value: { ended: { reason: "context_full", usage: { outputTokens: 1 } } } });
  });

  it("never cut a prompt silently: the code word at its head is not lost, the task fails", async () => {
    const text = `The code is K-7734. ${"A bicycle has two wheels. ".repeat(560)}What is the code?`;
    await expect(collect(request(text, { maxTokens: 20 }))).rejects.toMatchObject({
      problem: { code: "context_length_exceeded", detail: expect.stringMatching(/ \d{4} tokens\..* 4096/) },
    });
  });
});

describe("stopping", () => {
  it("takes effect within one chunk of a long prompt, before any text", async () => {
    const caller = new AbortController();
    const before = await backend.stats();
    const steps = backend.generate(request("The sea is wide and blue. ".repeat(500), {}), caller.signal);
    const first = steps.next();
    while ((await backend.stats()).readTokens === before.readTokens) await new Promise((next) => setImmediate(next));
    caller.abort(new Error("enough"));
    const { readTokens } = await backend.stats();
    await expect(first.then(() => steps.next())).rejects.toBe(caller.signal.reason);
    const after = await backend.stats();
    expect(after.readTokens - readTokens).toBeLessThanOrEqual(64);
    expect(after).toMatchObject({ generating: 0, generatedTokens: before.generatedTokens });
  });

  it("50 times at any token leaves nothing behind: no load, no lost place, no rejection unheard", async () => {
    const unheard: unknown[] = [];
    const listen = (reason: unknown) => unheard.push(reason);
    process.on("unhandledRejection", listen);
    const { loads } = await backend.stats();
    for (let round = 0; round < 50; round++) {
      const caller = new AbortController();
      const reason = new Error("stop");
      const { generatedTokens } = await backend.stats();
      let left = round % 13;
      const run = async () => {
        for await (const _ of backend.generate(report(), caller.signal)) if (left-- === 0) caller.abort(reason);
      };
      await expect(run()).rejects.toBe(reason);
      expect((await backend.stats()).generatedTokens - generatedTokens).toBeLessThanOrEqual((round % 13) + 1);
    }
    // Both places are there: two that run at the same time come to their end.
    const both = await Promise.all([collect(report({ maxTokens: 20 })), collect(report({ maxTokens: 20 }))]);
    expect(both.map(({ ended }) => ended?.type)).toEqual(["ended", "ended"]);
    expect(await backend.stats()).toMatchObject({ loads, generating: 0 });
    process.off("unhandledRejection", listen);
    expect(unheard).toEqual([]);
  });

  it("while all places are taken gives the wait up, and the others run on", async () => {
    const caller = new AbortController();
    const running = [collect(report({ maxTokens: 60 })), collect(report({ maxTokens: 60 }))];
    const waiting = collect(report(), caller.signal);
    const late = collect(report({ maxTokens: 5 }));
    caller.abort(new Error("enough"));
    await expect(waiting).rejects.toBe(caller.signal.reason);
    const ends = await Promise.all([...running, late]);
    expect(ends.map(({ ended }) => ended)).toEqual(
      [60, 60, 5].map((outputTokens) => {
        return expect.objectContaining({ usage: expect.objectContaining({ outputTokens }) });
      }),
    );
  });
});

describe("JSON", () => {
  const json = (schema: Record<string, unknown>, prompt = "Hello.") => {
    return request(prompt, { temperature: 0, format: { type: "json_schema", schema } });
  };

  it("has the shape of its schema, and ends by itself", async () => {
    const schema = {
      type: "object",
      properties: {
        name: { type: "string", maxLength: 20 },
        kind: { enum: ["good", "bad"] },
        count: { type: "integer" },
      },
      required: ["name", "kind", "count"],
      additionalProperties: false,
    };
    const { text, ended } = await collect(json(schema, "I love this lamp. It cost 3 pounds."));
    const value = JSON.parse(text);
    expect(Object.keys(value)).toEqual(["name", "kind", "count"]);
    expect(["good", "bad"]).toContain(value.kind);
    expect(Number.isInteger(value.count)).toBe(true);
    expect(text).toBe(text.trim());
    expect(ended).toMatchObject({ reason: "end" });
  });

  it("without a schema is some object", async () => {
    const { text } = await collect(
      request("Make a JSON object for a person with the keys name, age, job, city.", {
        temperature: 0,
        format: { type: "json_object" },
      }),
    );
    expect(Object.keys(JSON.parse(text))).toEqual(expect.arrayContaining(["name", "age"]));
  });

  it.each(["👩‍👩‍👧 🇨🇭 👍🏽", "漢字かな交じり文", "e\u0301 a\u0308\u0323 ก็"])(
    "carries %s whole, though the model writes it byte by byte",
    async (words) => {
      const { steps, text } = await collect(json({ const: words }));
      expect(JSON.parse(text)).toBe(words);
      const pieces = steps.filter((step) => step.type === "piece");
      expect(pieces.every((piece) => !/\p{Surrogate}|\uFFFD/u.test(piece.text))).toBe(true);
      expect(pieces.some((piece) => piece.text === "" && piece.tokens.length > 0)).toBe(true);
    },
  );

  it.each([
    ["pattern", { type: "string", pattern: "^a\\!$" }],
    ["minimum", { type: "object", properties: { age: { type: "integer", minimum: 18 } } }],
    ["uniqueItems", { type: "array", items: { type: "string" }, uniqueItems: true }],
    ["format: email", { type: "string", format: "email" }],
    ["not", { not: { type: "string" } }],
  ])("of a schema with %s is refused, since no grammar can hold the model to it", async (keyword, schema) => {
    await expect(collect(json(schema))).rejects.toMatchObject({
      problem: { code: "invalid_request", detail: expect.stringContaining(`"${keyword}"`) },
    });
  });

  it("of a schema that makes no grammar is refused, and the model goes on serving", async () => {
    await expect(collect(json({ type: "array", minItems: 100_000, items: { type: "string" } }))).rejects.toMatchObject({
      problem: { code: "invalid_request", detail: expect.stringMatching(/^text\.format/) },
    });
    expect((await collect(json({ const: "fine" }))).text).toBe('"fine"');
  });

  it("that a stop string cut off is no success", async () => {
    const cut = { ...json({ const: "one two" }), options: { ...json({ const: "one two" }).options, stop: ["two"] } };
    await expect(collect(cut)).rejects.toMatchObject({ problem: { code: "invalid_request" } });
  });

  it("that reaches the token limit ends as such", async () => {
    const limited = { ...json({ const: "one two" }), options: { ...json({ const: "one two" }).options, maxTokens: 2 } };
    expect((await collect(limited)).ended).toMatchObject({ reason: "max_tokens" });
  });
});

test("nothing that llama.cpp says goes to the host's own output; its warnings go to the log", () => {
  expect(lines.every((line) => line.startsWith("llama.cpp "))).toBe(true);
});
