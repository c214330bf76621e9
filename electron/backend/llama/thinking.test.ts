import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readGguf } from "../../../.scripts/gguf.mjs";
import type { WritingOptions } from "../../../shared/message";
import { LlamaBackend } from "./llama-backend";
import { demo, request, specOf } from "./test-models";

const never = new AbortController().signal;
const paths: string[] = [];
let backend: LlamaBackend;

/**
 * The demo model begins a report with "# Report: Bicycles", a blank line and "Contents:". A template that calls the
 * text between the two a thought makes it a model that thinks.
 */
async function loadThinker(id: string, open: string, close: string, opened: string): Promise<void> {
  const path = join(tmpdir(), `simmer-${id}-${process.pid}.gguf`);
  paths.push(path);
  const gguf = readGguf(readFileSync(demo));
  gguf.setText(
    "tokenizer.chat_template",
    `{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' }}
    {%- if message['role'] == 'assistant' and message['reasoning_content'] %}
    {{- '${open}' + message['reasoning_content'] + '${close}' }}{% endif %}
    {{- message['content'] + '<|im_end|>\\n' }}{% endfor %}
    {%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n${opened}' }}{% endif %}`,
  );
  writeFileSync(path, gguf.file());
  await backend.load(specOf(id, path), never);
}

beforeAll(async () => {
  backend = new LlamaBackend(() => {});
  await loadThinker("thinks", "# ", "\\n\\nContents:", "");
  await loadThinker("thinks-at-once", "# Report:", "Contents:", "# Report:");
}, 60_000);

afterAll(async () => {
  await backend.close();
  for (const path of paths) rmSync(path);
});

async function write(model: string, options: Partial<WritingOptions> = {}) {
  const wanted = request("Write a long report about bicycles.", { temperature: 0, maxTokens: 60, ...options });
  const texts = { reasoning: "", message: "" };
  let reason = "";
  for await (const step of backend.generate({ ...wanted, model }, never)) {
    if (step.type === "piece") texts[step.output] += step.text;
    if (step.type === "ended") reason = step.reason;
  }
  return { ...texts, reason };
}

describe.each(["thinks", "thinks-at-once"])("a model that %s", (model) => {
  it("has its thinking apart from its answer, without the markers", async () => {
    const { reasoning, message } = await write(model);
    expect(reasoning).toMatch(/^[^#]* Bicycles\s*$/);
    expect(message).toMatch(/^1\. Introduction\n2\. /);
  });

  it("is not stopped by a stop string that it thinks of, but by one that it says", async () => {
    const { reasoning, message, reason } = await write(model, { stop: ["Bicycles", "\n2."] });
    expect(reasoning).toMatch(/^[^#]* Bicycles\s*$/);
    expect(message).toBe("1. Introduction");
    expect(reason).toBe("stop_string");
  });
});

it("a schema binds the answer of a model that thinks, and leaves the thinking free", async () => {
  const format = { type: "json_schema", schema: { const: "fine" } } as const;
  const { reasoning, message, reason } = await write("thinks-at-once", { format });
  expect(reasoning).toMatch(/^[^#]* Bicycles\s*$/);
  expect(message).toBe('"fine"');
  expect(reason).toBe("end");
});
