import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { LmspClient } from "../lmsp-client";
import { TestHost } from "../mcp/test-host";

/** Numbers that are none, or too large, or of another kind, as JSON texts. */
const texts = [
  ...["-1", "0", "-0", "1", "1.5", "5e-324", "-1e308", "1e308", "1e999", "-1e999", "9007199254740992", "2147483648"],
  ...['"NaN"', '"Infinity"', '"5"', '""', "true", "[]", "[1]", "{}"],
];

const numberSchema = z.object({
  type: z.enum(["integer", "number"]),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
const numeric = z.union([numberSchema, z.object({ anyOf: z.tuple([numberSchema]).rest(z.unknown()) })]);
type NumberSchema = z.output<typeof numberSchema>;

/** Every numeric property that a schema has at its top, with what is allowed there. */
function numbersOf(properties: Readonly<Record<string, unknown>>): readonly (readonly [string, NumberSchema])[] {
  return Object.entries(properties).flatMap(([name, given]) => {
    const found = numeric.safeParse(given).data;
    if (found === undefined) return [];
    const schema = "anyOf" in found ? found.anyOf[0] : found;
    // Without bounds of its own it would be bounded by nothing below.
    expect([name, schema.minimum]).toEqual([name, name === "max_output_tokens" ? 1 : 0]);
    expect(schema.maximum).toBeLessThanOrEqual(2 ** 32);
    return [[name, schema] as const];
  });
}

/** Whether the schema that is told allows what a JSON parser reads there. */
function allows({ type, minimum, maximum }: NumberSchema, text: string): boolean {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "number" || !Number.isFinite(value)) return false;
  const isWhole = type === "number" || Number.isInteger(value);
  return isWhole && value >= (minimum ?? Number.NEGATIVE_INFINITY) && value <= (maximum ?? Number.POSITIVE_INFINITY);
}

const properties = z.object({ properties: z.record(z.string(), z.unknown()) });
const postSchema = z.object({
  post: z.object({
    requestBody: z.object({ content: z.object({ "application/json": z.object({ schema: properties }) }) }),
  }),
});

/** The tools of the product, with what a call of each needs besides. */
const required: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  generate: { prompt: "Hi" },
  summarize: { text: "Hi" },
  batch: { template: "{{input}}", inputs: ["a"] },
  ask_person: { question: "Hi?" },
  list_models: {},
};

// Case B100.
describe("a number that no model must ever see", () => {
  let host: TestHost;
  let lmsp: LmspClient;
  let openApi: unknown;

  beforeAll(async () => {
    host = await TestHost.start();
    lmsp = host.lmsp();
    const url = host.url.replace(/mcp$/, "openapi.json");
    openApi = await (await fetch(url, { headers: { authorization: `Bearer ${host.token("alice")}` } })).json();
  });
  afterAll(() => host[Symbol.asyncDispose]());

  function requestNumbers(path: string): readonly (readonly [string, NumberSchema])[] {
    const { paths } = z.object({ paths: z.record(z.string(), z.unknown()) }).parse(openApi);
    const schema = postSchema.parse(paths[path]).post.requestBody.content["application/json"].schema;
    const input = properties.safeParse(schema.properties.input).data;
    return numbersOf((input ?? schema).properties);
  }

  /** The status of a request whose body is this text. */
  async function post(path: string, body: string): Promise<number> {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body };
    const response = await lmsp.request(path, init);
    await response.text();
    return response.status;
  }

  it("is refused by LMSP, in every numeric field of a task and of a response", async () => {
    for (const [path, ok, wrap] of [
      ["/tasks", 202, (fields: string) => `{"type": "response", "input": {"input": "Hi", ${fields}}}`],
      ["/responses", 200, (fields: string) => `{"input": "Hi", ${fields}}`],
    ] as const) {
      const numbers = requestNumbers(`/lmsp/v1${path}`);
      expect(numbers.map(([name]) => name).sort()).toEqual(["max_output_tokens", "seed", "temperature", "top_p"]);
      for (const [name, schema] of numbers)
        for (const text of texts) {
          const status = await post(path, wrap(`"${name}": ${text}`));
          expect([path, name, text, status]).toEqual([path, name, text, allows(schema, text) ? ok : 400]);
        }
      for (const text of ["NaN", "Infinity", "0x10", "01", "+1"])
        expect([text, await post(path, wrap(`"seed": ${text}`))]).toEqual([text, 400]);
    }
  });

  it("is refused by LMSP in the query and in headers", async () => {
    const { id } = await lmsp.create("Hi");
    await lmsp.until(id, "succeeded");
    for (const text of ["-1", "0", "101", "1e308", "NaN", "1.5", "9007199254740992", "", "1e1"]) {
      const { status } = await lmsp.request(`/tasks?limit=${text}`);
      expect([text, status]).toEqual([text, 400]);
    }
    for (const text of ["-2", "1e308", "NaN", "1.5", "9007199254740993", "99999999999999999999", "Infinity"])
      for (const answer of [
        await lmsp.request(`/tasks/${id}/events?starting_after=${text}`),
        await lmsp.request(`/tasks/${id}/events`, { headers: { "last-event-id": text } }),
      ])
        expect([text, answer.status]).toEqual([text, 400]);
  });

  it("is refused by every tool of MCP, in every numeric argument", async () => {
    const client = await host.client();
    const list = z.object({ tools: z.array(z.object({ name: z.string(), inputSchema: z.unknown() })) });
    const { tools } = await client.result(list, "tools/list");
    let asked = 0;
    for (const { name, inputSchema } of tools.filter((tool) => tool.name in required)) {
      const given = properties.safeParse(inputSchema).data?.properties ?? {};
      for (const [field, schema] of numbersOf(given))
        for (const text of texts.filter((one) => !allows(schema, one))) {
          // What JSON cannot say is sent as the text that reads as it.
          const value: unknown = JSON.parse(text);
          if (typeof value === "number" && !Number.isFinite(value)) continue;
          const { isError, content } = await client.call(name, { ...required[name], [field]: value });
          expect([name, field, text, isError]).toEqual([name, field, text, true]);
          expect(JSON.stringify(content)).toContain(field);
          asked += 1;
        }
    }
    expect(asked).toBeGreaterThan(100);
  });

  it("is no ttl: it is granted within the bounds that are documented, or refused", async () => {
    const client = await host.client();
    for (const ttl of [-1, 0, 1, 999, 1.5, 1e18, 1e308, 2 ** 53, 2 ** 31, "NaN", "60000", true, [], {}]) {
      const params = { name: "generate", arguments: { prompt: "Hi" }, task: { ttl } };
      const answer = await client.request("tools/call", params);
      const granted = z.object({ result: z.object({ task: z.object({ ttl: z.int() }) }) }).safeParse(answer).data;
      if (granted === undefined) expect([ttl, answer]).toEqual([ttl, { ...answer, error: expect.anything() }]);
      else {
        expect(granted.result.task.ttl).toBeGreaterThanOrEqual(1_000);
        expect(granted.result.task.ttl).toBeLessThanOrEqual(2_147_483_647);
      }
    }
  });
});
