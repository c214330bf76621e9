import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GenerateRequest, GenerationStep } from "../../engine/backend";
import { LlamaBackend } from "./llama-backend";
import { demo, request, specOf } from "./test-models";

const never = new AbortController().signal;
const spec = specOf("simmer-demo", demo);
const folder = mkdtempSync(join(tmpdir(), "simmer-resume-"));
const report = request("Write a long report about bicycles.", { temperature: 0, maxTokens: 80 });
const schema = {
  type: "object",
  properties: {
    name: { type: "string" },
    wheels: { type: "integer" },
    colours: { type: "array", items: { type: "string" } },
  },
  required: ["name", "wheels", "colours"],
  additionalProperties: false,
} as const;

interface Written {
  readonly text: string;
  readonly tokens: readonly number[];
  readonly ended: GenerationStep | undefined;
  /** Tokens that were read for it. */
  readonly read: number;
}

async function write(backend: LlamaBackend, wanted: GenerateRequest): Promise<Written> {
  const before = await backend.stats();
  const steps: GenerationStep[] = [];
  for await (const step of backend.generate(wanted, never)) steps.push(step);
  const pieces = steps.flatMap((step) => (step.type === "piece" ? [step] : []));
  return {
    text: pieces.map((piece) => piece.text).join(""),
    tokens: pieces.flatMap((piece) => piece.tokens),
    ended: steps.at(-1),
    read: (await backend.stats()).readTokens - before.readTokens,
  };
}

/** Writes the first `count` tokens and is stopped there; its state is kept in `file`. */
async function interrupt(
  backend: LlamaBackend,
  wanted: GenerateRequest,
  count: number,
  file: string,
): Promise<number[]> {
  const tokens: number[] = [];
  for await (const step of backend.generate({ ...wanted, snapshot: { tokens: [], file } }, never)) {
    if (step.type === "piece") tokens.push(...step.tokens);
    if (tokens.length >= count) break;
  }
  return tokens;
}

/** A process of its own for each: nothing that one has read is known to the other. Its states are kept often. */
async function withBackend<T>(
  work: (backend: LlamaBackend, lines: string[]) => Promise<T>,
  contextLength?: number,
): Promise<T> {
  const lines: string[] = [];
  let time = 0;
  const backend = new LlamaBackend(
    (line) => lines.push(line),
    () => {
      time += 10_000;
      return time;
    },
  );
  try {
    await backend.load({ ...spec, contextLength: contextLength ?? null }, never);
    return await work(backend, lines);
  } finally {
    await backend.close();
  }
}

describe("a text that goes on", () => {
  let whole: Written;
  let kept: { readonly tokens: readonly number[]; readonly file: string };
  let copies = 0;
  const copy = () => {
    const file = join(folder, `copy-${copies++}.kv`);
    copyFileSync(kept.file, file);
    return file;
  };

  beforeAll(async () => {
    const file = join(folder, "kept.kv");
    whole = await withBackend((backend) => write(backend, report));
    kept = { file, tokens: await withBackend((backend) => interrupt(backend, report, 60, file)) };
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it("is the text of an uninterrupted run, and only what came after the kept state is read again", async () => {
    const snapshot = { tokens: kept.tokens, file: copy() };
    const resumed = await withBackend((backend) => write(backend, { ...report, snapshot }));
    expect(resumed).toMatchObject({ text: whole.text, tokens: whole.tokens, ended: whole.ended });
    // B74: at most what is written between two states; the clock here makes that 20 steps and the save itself.
    expect(resumed.read).toBeLessThanOrEqual(30);
    expect(whole.read).toBeGreaterThan(0);
  });

  it("goes on in the log's tokens where the state is ahead of them", async () => {
    const snapshot = { tokens: kept.tokens.slice(0, 3), file: copy() };
    const resumed = await withBackend((backend) => write(backend, { ...report, snapshot }));
    expect(resumed).toMatchObject({ text: whole.text, tokens: whole.tokens });
    expect(resumed.read).toBeLessThanOrEqual(1);
  });

  it("reads everything again without the file, and is the same text", async () => {
    const snapshot = { tokens: kept.tokens, file: null };
    const resumed = await withBackend((backend) => write(backend, { ...report, snapshot }));
    expect(resumed).toMatchObject({ text: whole.text, tokens: whole.tokens });
    expect(resumed.read).toBe(whole.read + kept.tokens.length);
  });

  const faults: Record<string, (file: string) => void> = {
    "has one flipped bit in its state": (file) => flip(file, 5_000),
    "has one flipped bit in its label": (file) => flip(file, readFileSync(file).length - 60),
    "is cut in half": (file) => truncateSync(file, readFileSync(file).length / 2),
    "is empty": (file) => truncateSync(file, 0),
    "is filled with NUL": (file) => writeFileSync(file, Buffer.alloc(readFileSync(file).length)),
  };
  it.each(Object.entries(faults))("sets a state aside that %s, and reads again", async (_, damage) => {
    const file = copy();
    damage(file);
    const snapshot = { tokens: kept.tokens, file };
    await withBackend(async (backend, lines) => {
      const resumed = await write(backend, { ...report, snapshot });
      expect(resumed).toMatchObject({ text: whole.text, read: whole.read + kept.tokens.length });
      expect(lines.join("\n")).toContain("is damaged");
    });
    expect(existsSync(`${file}.aside`)).toBe(true);
  });

  it("does not hand over a state of another context size", async () => {
    const snapshot = { tokens: kept.tokens, file: copy() };
    await withBackend(async (backend, lines) => {
      const resumed = await write(backend, { ...report, snapshot });
      expect(resumed.text).toBe(whole.text);
      expect(lines.join("\n")).toContain("its contextSize is another");
    }, 1_024);
  });

  it("follows its schema on, from any place", async () => {
    const wanted = request("Describe a bicycle as JSON.", {
      temperature: 0.9,
      seed: 5,
      maxTokens: 120,
      format: { type: "json_schema", schema },
    });
    await withBackend(async (backend) => {
      const json = await write(backend, wanted);
      expect(() => JSON.parse(json.text)).not.toThrow();
      for (const count of [1, 2, Math.floor(json.tokens.length / 2), json.tokens.length - 1, json.tokens.length]) {
        const snapshot = { tokens: json.tokens.slice(0, count), file: null };
        expect(await write(backend, { ...wanted, snapshot })).toMatchObject({ text: json.text, tokens: json.tokens });
      }
    });
  });

  it("goes on from a state that was kept while the prompt was read", async () => {
    const long = request(`Summarize: ${"A bicycle has two wheels. ".repeat(60)}`, { temperature: 0, maxTokens: 12 });
    const file = join(folder, "reading.kv");
    const { text, read } = await withBackend((backend) => write(backend, long));
    await withBackend((backend) => interrupt(backend, long, 1, file));
    const resumed = await withBackend((backend) => write(backend, { ...long, snapshot: { tokens: [], file } }));
    expect(resumed.text).toBe(text);
    // The clock here keeps the state after the first chunk.
    expect(read - resumed.read).toBe(64);
  });
});

function flip(file: string, position: number): void {
  const bytes = readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(position) ^ 1, position);
  writeFileSync(file, bytes);
}
