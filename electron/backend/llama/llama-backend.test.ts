import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { describeBackend } from "../contract";
import { LlamaBackend } from "./llama-backend";
import { demo, request, specOf } from "./test-models";

const folder = mkdtempSync(join(tmpdir(), "simmer-backend-"));
const cut = join(folder, "cut.gguf");
writeFileSync(cut, readFileSync(demo).subarray(0, 4_000_000));
afterAll(() => rmSync(folder, { recursive: true }));

describeBackend("LlamaBackend with the embedded model", async () => ({
  backend: new LlamaBackend(() => {}),
  model: specOf("simmer-demo", demo),
  request: request("Write a long report about bicycles.", { temperature: 0 }),
  parallel: 2,
  broken: specOf("cut", cut),
  apart: false,
}));
