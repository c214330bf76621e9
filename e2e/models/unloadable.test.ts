import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readGguf } from "../../.scripts/gguf.mjs";
import { HostProcess } from "../host";
import { LmspClient } from "../lmsp-client";
import { childrenOf } from "../processes";

const demo = readFileSync(fileURLToPath(new URL("../../assets/models/simmer-demo.gguf", import.meta.url)));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "simmer-unloadable-"));
  writeFileSync(join(folder, "half.gguf"), demo.subarray(0, Math.floor(demo.length * 0.9)));
  const wide = readGguf(demo);
  wide.setNumber("llama.context_length", 1_048_576);
  writeFileSync(join(folder, "wide.gguf"), wide.file());
});

afterAll(() => rmSync(folder, { recursive: true }));

const story = { input: "Write a story.", max_output_tokens: 5, temperature: 0 };

// B52, B53: a file whose header is whole, and whose data is not, crashes a process that reads it.
it("a model that was not downloaded to its end fails by name, and the inference process serves on", async () => {
  await using host = await HostProcess.start({ modelsDir: folder });
  const lmsp = new LmspClient(host.endpoint);
  const works = await lmsp.create({ ...story, model: "simmer-demo" });
  await lmsp.until(works.id, "succeeded");
  const inference = childrenOf(host.endpoint.pid);
  expect(inference).toHaveLength(1);

  for (const policy of ["fail", "retry"]) {
    const { id } = await lmsp.create(
      { ...story, model: "half" },
      { on_restart: policy },
      { "idempotency-key": policy },
    );
    expect((await lmsp.until(id, "failed")).error).toMatchObject({
      code: "model_load_failed",
      detail: `half.gguf is incomplete: it has 3956342 bytes and needs ${demo.length}. Download it again.`,
    });
  }

  const after = await lmsp.create({ ...story, model: "simmer-demo" });
  await lmsp.until(after.id, "succeeded");
  expect(childrenOf(host.endpoint.pid)).toEqual(inference);
});

// B50
it.runIf(process.platform === "linux")(
  "a context that the process's limit has no room for fails its task by the numbers, and nothing else",
  async () => {
    await using host = await HostProcess.start({
      modelsDir: folder,
      set: { "models.context": 1_048_576, "limits.parallel": 1 },
    });
    for (const pid of [host.endpoint.pid, ...childrenOf(host.endpoint.pid)]) {
      execFileSync("prlimit", ["--pid", String(pid), "--as=4000000000"]);
    }
    const lmsp = new LmspClient(host.endpoint);
    const { id } = await lmsp.create({ ...story, model: "wide" });
    expect((await lmsp.until(id, "failed")).error).toMatchObject({
      code: "model_load_failed",
      detail: expect.stringMatching(
        /^wide\.gguf .* a context of 1048576 tokens needs 4\.\d GB of memory; [\d.]+ [MG]B are free\. The largest context that would fit has \d+ tokens: set a smaller context\.$/,
      ),
    });
    const other = await lmsp.create({ ...story, model: "simmer-demo" });
    await lmsp.until(other.id, "succeeded");
  },
);
