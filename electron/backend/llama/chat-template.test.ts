import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Llama } from "node-llama-cpp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readGguf } from "../../../.scripts/gguf.mjs";
import { chatTemplateOf } from "./chat-template";
import { startLlama } from "./load-model";
import { demo } from "./test-models";

let llama: Llama;
const path = join(tmpdir(), `simmer-template-${process.pid}.gguf`);
const own = readGguf(readFileSync(demo));

beforeAll(async () => {
  llama = await startLlama(false, () => {});
});

afterAll(async () => {
  await llama.dispose();
  rmSync(path, { force: true });
});

const plain = `{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content']
  + '<|im_end|>' + '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}`;

async function wrapperFor(template: string) {
  own.setText("tokenizer.chat_template", template);
  writeFileSync(path, own.file());
  const model = await llama.loadModel({ modelPath: path, vocabOnly: true });
  try {
    return chatTemplateOf(model).wrapperName;
  } finally {
    await model.dispose();
  }
}

test("a template that is ChatML and nothing else is recognised", async () => {
  expect(await wrapperFor(plain)).toBe("ChatML");
});

test.each([
  ["other words around a turn", plain.replace("'\\n' + message['content']", "'\\n\\n' + message['content']")],
  ["a turn of its own at the start", `{{ '<|im_start|>system\\nYou are kind.<|im_end|>\\n' }}${plain}`],
])("a template with %s is not taken for it", async (_, template) => {
  expect(await wrapperFor(template)).not.toBe("ChatML");
});
