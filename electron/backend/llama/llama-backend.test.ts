import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeBackend } from "../contract";
import { LlamaBackend } from "./llama-backend";
import { demo, request, specOf } from "./test-models";

describeBackend("LlamaBackend with the embedded model", async () => ({
  backend: new LlamaBackend(() => {}),
  model: specOf("simmer-demo", demo),
  request: request("Write a long report about bicycles.", { temperature: 0 }),
  parallel: 2,
  broken: specOf("cut", cutDemo()),
  apart: false,
}));

function cutDemo(): string {
  const path = join(mkdtempSync(join(tmpdir(), "simmer-")), "cut.gguf");
  writeFileSync(path, readFileSync(demo).subarray(0, 4_000_000));
  return path;
}
