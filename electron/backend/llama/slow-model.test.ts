import { statSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LlamaBackend } from "./llama-backend";
import { demo, request, specOf } from "./test-models";

const never = new AbortController().signal;
const script = new URL("../../../.scripts/slow-model.mjs", import.meta.url);
let slow: string;
let backend: LlamaBackend;

beforeAll(async () => {
  const { slowModel } = await import(pathToFileURL(fileURLToPath(script)).href);
  slow = await slowModel();
  const { mtimeMs, ino } = statSync(slow);
  expect(await slowModel()).toBe(slow);
  expect(statSync(slow)).toMatchObject({ mtimeMs, ino });
  backend = new LlamaBackend(() => {});
  await backend.load(specOf("demo", demo), never);
  await backend.load(specOf("slow", slow), never);
}, 60_000);

afterAll(async () => {
  await backend.close();
});

async function write(model: string): Promise<{ tokens: readonly number[]; time: number }> {
  const tokens: number[] = [];
  let startedAt = 0;
  const wanted = request("Write a long report about bicycles.", { temperature: 0, maxTokens: 25 });
  for await (const step of backend.generate({ ...wanted, model }, never)) {
    if (step.type === "piece") tokens.push(...step.tokens);
    if (tokens.length === 1) startedAt = performance.now();
  }
  return { tokens, time: performance.now() - startedAt };
}

test("the slow model says what the demo model says, at many times the cost", async () => {
  const [quick, slowly] = [await write("demo"), await write("slow")];
  expect(slowly.tokens).toEqual(quick.tokens);
  expect(slowly.time).toBeGreaterThan(quick.time * 5);
});
