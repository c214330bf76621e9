import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gguf, readGguf } from "../../../.scripts/gguf.mjs";
import type { ModelInfo, ModelSpec } from "../../engine/backend";
import { LlamaBackend } from "./llama-backend";
import { demo, specOf } from "./test-models";

const never = new AbortController().signal;
const source = readFileSync(demo);
let folder: string;
let backend: LlamaBackend;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "simmer-load-"));
  backend = new LlamaBackend(() => {});
});

afterAll(async () => {
  await backend.close();
  rmSync(folder, { recursive: true });
});

function file(name: string, bytes: Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

function changed(change: (gguf: Gguf) => void): Buffer {
  const gguf = readGguf(source);
  change(gguf);
  return gguf.file();
}

const load = (path: string, more: Partial<ModelSpec> = {}): Promise<ModelInfo> => {
  return backend.load(specOf(path, path, more), never);
};

const failure = (detail: RegExp) => {
  return { problem: { code: "model_load_failed", detail: expect.stringMatching(detail) } };
};

describe("a model that cannot be loaded fails by name and with the reason", () => {
  // B52, B53: the header is whole, and native code would read tensors beyond the end of the file.
  it.each([99, 90, 60, 5])("when it is cut at %i percent", async (percent) => {
    const bytes = source.subarray(0, (source.length * percent) / 100);
    const detail = `cut-${percent}.gguf is incomplete: it has ${bytes.length} bytes and needs ${source.length}. Download it again.`;
    await expect(load(file(`cut-${percent}.gguf`, bytes))).rejects.toMatchObject({
      problem: { code: "model_load_failed", detail },
    });
  });

  it("when it is cut in the middle of its header", async () => {
    const detail =
      /^head\.gguf is incomplete or damaged: it has 43960 bytes and needs at least \d+\. Download it again\.$/;
    await expect(load(file("head.gguf", source.subarray(0, 43_960)))).rejects.toMatchObject(failure(detail));
  });

  it("when the last byte is missing, and not when it is there", async () => {
    const path = file("last.gguf", source.subarray(0, -1));
    await expect(load(path)).rejects.toMatchObject(failure(/is incomplete: it has \d+ bytes and needs \d+\./));
    writeFileSync(path, source);
    expect((await load(path)).contextLength).toBe(4096);
    await backend.unload(path);
  });

  it.each([
    ["empty", Buffer.alloc(0), /is no GGUF file/],
    ["text", Buffer.from("Once upon a time"), /is no GGUF file/],
    ["old", Buffer.from("GGUF\u0001\0\0\0"), /version 1/],
    ["nonsense", Buffer.concat([Buffer.from("GGUF\u0003\0\0\0"), Buffer.alloc(190, 0xa7)]), /incomplete or damaged/],
  ])("when it is %s", async (name, bytes, reason) => {
    await expect(load(file(`${name}.gguf`, bytes))).rejects.toMatchObject(failure(reason));
  });

  // B56
  it.each([
    ["2^40 entries", [0n, 1n << 40n], []],
    ["2^63 tensors", [1n << 63n, 0n], []],
    ["a name of 2^63 bytes", [0n, 1n], [1n << 63n]],
  ])("when it announces %s", async (_, [tensors = 0n, entries = 0n], more) => {
    const numbers = [tensors, entries, ...more].map((value) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(value);
      return bytes;
    });
    const path = file("hostile.gguf", Buffer.concat([Buffer.from("GGUF\u0003\0\0\0"), ...numbers, Buffer.alloc(64)]));
    await expect(load(path)).rejects.toMatchObject(failure(/^hostile\.gguf is incomplete or damaged/));
  });

  // B56
  it("when a tensor lies beyond the end of the file", async () => {
    const bytes = Buffer.from(source);
    const offsetAt = bytes.indexOf("output_norm.weight") + "output_norm.weight".length + 4 + 8 + 4;
    bytes.writeBigUInt64LE(1n << 62n, offsetAt);
    await expect(load(file("beyond.gguf", bytes))).rejects.toMatchObject(failure(/^beyond\.gguf is incomplete/));
  });

  it("when llama.cpp does not know its architecture", async () => {
    const path = file(
      "strange.gguf",
      changed((gguf) => gguf.setText("general.architecture", "simmerunknown")),
    );
    await expect(load(path)).rejects.toMatchObject(failure(/^strange\.gguf is built in a way \(simmerunknown\)/));
  });

  it("when there is no such file", async () => {
    await expect(load(join(folder, "none.gguf"))).rejects.toMatchObject(failure(/^none\.gguf/));
  });

  it("when a part of it is missing", async () => {
    const path = file("split-00001-of-00002.gguf", source);
    const detail = /^split-00001-of-00002\.gguf is incomplete: split-00002-of-00002\.gguf is missing/;
    await expect(load(path)).rejects.toMatchObject(failure(detail));
  });

  // B50
  it("when its context does not fit into the memory, with the numbers, before llama.cpp takes any", async () => {
    const tooMuch = Math.ceil(totalmem() / 2_048 / 1_024) * 1_024;
    const path = file(
      "wide.gguf",
      changed((gguf) => gguf.setNumber("llama.context_length", tooMuch)),
    );
    const numbers = `a context of ${tooMuch} tokens needs \\d+\\.\\d GB of memory; \\d+(\\.\\d)? [MG]B are free\\.`;
    const detail = new RegExp(
      `^wide\\.gguf .* 5 MB, and ${numbers} The largest context that would fit has \\d+ tokens`,
    );
    await expect(load(path, { contextLength: tooMuch, parallel: 1 })).rejects.toMatchObject(failure(detail));
    expect((await backend.stats()).loaded).toEqual([]);
  });
});

// B55
describe("a model in a folder whose name is not plain", () => {
  it("loads", async () => {
    const path = file("\u3000 ü 漢 🙂.gguf", source);
    expect((await load(path)).id).toBe(path);
    await backend.unload(path);
  });
});

describe("what is left to choose", () => {
  it("is the context that the model was trained for, and several tasks at once", async () => {
    const path = file("choose.gguf", source);
    const info = await load(path, { contextLength: null, parallel: null, threads: null });
    expect(info).toMatchObject({ contextLength: 4096, parallel: 4 });
    await backend.unload(path);
  });

  it("is never more context than the model was trained for, and never more than was asked for", async () => {
    const path = file("asked.gguf", source);
    expect((await load(path, { contextLength: 100_000 })).contextLength).toBe(4096);
    await backend.unload(path);
    expect((await load(path, { contextLength: 300 })).contextLength).toBe(300);
    await backend.unload(path);
  });
});

// B58
describe("four that load one model at the same time", () => {
  it("share one load, which later ones use too", async () => {
    const path = file("shared.gguf", source);
    const { loads } = await backend.stats();
    await Promise.all([1, 2, 3, 4].map(() => load(path)));
    await load(path);
    expect((await backend.stats()).loads).toBe(loads + 1);
  });
});

// B59
describe("a model that is loaded again while it is put away", () => {
  it("is in memory once at most", async () => {
    const path = file("again.gguf", source);
    await load(path);
    const unloaded = backend.unload(path);
    const loaded = load(path);
    const { loaded: meanwhile } = await backend.stats();
    expect(meanwhile.filter((id) => id === path)).toEqual([]);
    await Promise.all([unloaded, loaded]);
    expect((await backend.stats()).loaded.filter((id) => id === path)).toEqual([path]);
    await backend.unload(path);
  });
});
