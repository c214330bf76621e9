import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { problemOf } from "../../../shared/problem";
import { demo } from "../llama/test-models";
import { checkDescription, checkFiles } from "./check-model";
import { type Draft, f32, number, numbers, text, texts, tiny, tinyDraft, u32, writeDraft } from "./test-gguf";
import { valueTypes } from "./value-types";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "simmer-gguf-"));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** What is said of a file; undefined when nothing is wrong. */
function verdictOn(path: string): string | undefined {
  try {
    checkDescription(checkFiles(path));
    return undefined;
  } catch (error) {
    return problemOf(error).detail;
  }
}

function verdict(change: (draft: Draft) => void): string | undefined {
  const draft = tinyDraft();
  change(draft);
  const path = join(folder, "tiny.gguf");
  writeFileSync(path, writeDraft(draft));
  return verdictOn(path);
}

const say = (...entries: Draft["entries"]) => {
  return (draft: Draft) => {
    const keys = new Set(entries.map(({ key }) => key));
    draft.entries = [...draft.entries.filter(({ key }) => !keys.has(key)), ...entries];
  };
};
const omit = (key: string) => (draft: Draft) => {
  draft.entries = draft.entries.filter((entry) => entry.key !== key);
};
const tensor = (name: string, change: Partial<Draft["tensors"][number]>) => (draft: Draft) => {
  Object.assign(draft.tensors.find((one) => one.name === name) ?? {}, change);
};
const set = (change: Partial<Draft>) => (draft: Draft) => {
  Object.assign(draft, change);
};
const both = (one: (draft: Draft) => void, two: (draft: Draft) => void) => (draft: Draft) => {
  one(draft);
  two(draft);
};
const add =
  (name: string, type = 0) =>
  (draft: Draft) => {
    draft.tensors.push({ name, dimensions: [1], type });
  };
const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);

describe("a sound model", () => {
  it("has nothing said against it", () => {
    expect(verdictOn(demo)).toBeUndefined();
    expect(verdict(() => undefined)).toBeUndefined();
  });

  it.each([
    ["other alignment", both(set({ alignment: 64 }), say(u32("general.alignment", 64)))],
    ["no word on its types", omit("tokenizer.ggml.token_type")],
    ["heads layer by layer", say(numbers("llama.attention.head_count", 4, [4, 4]))],
    ["a scaling", say(text("llama.rope.scaling.type", "yarn"))],
    [
      "a tokenizer that is read in another way",
      say(text("tokenizer.ggml.model", "gpt2"), texts("tokenizer.ggml.merges", [])),
    ],
    ["an empty token", say(texts("tokenizer.ggml.tokens", ["", ..."ab", ...bytes, ..."cdef"]))],
  ])("may have %s", (_, change) => {
    expect(verdict(change)).toBeUndefined();
  });
});

// B56, and what else native code ends the process over.
describe("native code never sees a file", () => {
  it.each<[string, (draft: Draft) => void, RegExp]>([
    ["of another version", set({ version: 4 }), /has GGUF version 4/],
    ["with a tensor whose name is no name", add("a\0b"), /the name of a tensor in it is no name/],
    ["with a tensor whose name is too long", add("x".repeat(64)), /a name in it has 64 bytes, where 63 are allowed/],
    [
      "with a key twice",
      (draft) => {
        draft.entries.push(text("general.name", "again"));
      },
      /says "general.name" twice/,
    ],
    ["whose key is no name", say(text("a\0b", "x")), /a key in it is no name/],
    ["whose key would change the library's objects", say(text("__proto__.x", "x")), /a key in it is no name/],
    ["with a value of an unknown type", say({ key: "x", type: 13, value: Buffer.alloc(8) }), /has the type 13/],
    [
      "with arrays in an array",
      say({ key: "x", type: 9, value: Buffer.from([9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]) }),
      /elements of type 9/,
    ],
    ["whose alignment is no power of two", say(u32("general.alignment", 48)), /alignment makes no sense/],
    ["whose alignment is too small to compute with", say(u32("general.alignment", 16)), /alignment makes no sense/],
    ["with a tensor twice", add("output.weight"), /output\.weight twice/],
    ["with a tensor beside its place", tensor("output.weight", { offset: 32 }), /not where it should be/],
    [
      "with a tensor beyond its end",
      tensor("output.weight", { offset: 2 ** 40 }),
      /incomplete: it has \d+ bytes and needs 10995/,
    ],
    ["with a tensor of five dimensions", tensor("output.weight", { dimensions: [1, 1, 1, 1, 1] }), /has 5 dimensions/],
    ["with a tensor without elements", tensor("output.weight", { dimensions: [32, 0] }), /is empty/],
    [
      "with more elements than can be counted",
      tensor("output.weight", { dimensions: [2 ** 32, 2 ** 32] }),
      /is incomplete/,
    ],
    ["with a tensor of an unknown type", tensor("output.weight", { type: 99 }), /of type 99, which is not supported/],
    ["with rows of half a block", tensor("output.weight", { type: 8, dimensions: [48, 263] }), /no whole blocks/],
    [
      "with a norm that cannot be computed with",
      tensor("output_norm.weight", { type: 1 }),
      /a type that it cannot have/,
    ],
    ["with one row of another type", add("rest", 1), /a type that it cannot have/],
    ["with weights that are whole numbers", tensor("output.weight", { type: 26 }), /a type that it cannot have/],
    ["that does not say how it is built", omit("general.architecture"), /general\.architecture/],
    [
      "of a model that writes no text",
      set({ entries: tinyDraft({ ...tiny, architecture: "bert" }).entries }),
      /vectors of texts/,
    ],
    ["that does not say its context", omit("llama.context_length"), /does not say its llama\.context_length/],
    ["with no context", say(u32("llama.context_length", 0)), /context_length cannot be 0/],
    ["with no layers", say(u32("llama.block_count", 0)), /block_count cannot be 0/],
    ["with too many layers", say(u32("llama.block_count", 513)), /block_count cannot be 513/],
    ["with layers that only guess ahead", say(u32("llama.nextn_predict_layers", 2)), /guessing ahead/],
    ["with a text for a number", say(text("llama.block_count", "2")), /block_count is no number/],
    ["with no heads", say(u32("llama.attention.head_count", 0)), /no attention heads/],
    ["with a layer of no heads", say(numbers("llama.attention.head_count", 4, [4, 0])), /no attention heads/],
    [
      "with heads that do not make up the embedding",
      set({ entries: tinyDraft({ ...tiny, architecture: "qwen2", headLength: 16 }).entries }),
      /4 attention heads of 16 numbers do not make up its 32/,
    ],
    [
      "with heads that cannot share",
      say(u32("llama.attention.head_count_kv", 3)),
      /4 attention heads cannot share 3 keys/,
    ],
    ["with no keys", say(u32("llama.attention.head_count_kv", 0)), /cannot share 0 keys/],
    [
      "with heads of no length",
      both(omit("llama.attention.key_length"), say(u32("llama.embedding_length", 3))),
      /no length/,
    ],
    [
      "with keys of another length than values",
      say(u32("llama.attention.value_length", 16)),
      /keys of 8 numbers and values of 16/,
    ],
    ["that turns more than it has", say(u32("llama.rope.dimension_count", 10)), /cannot turn/],
    ["that turns too little", say(u32("llama.rope.dimension_count", 4)), /only 4 numbers/],
    ["with an epsilon below zero", say(f32("llama.attention.layer_norm_rms_epsilon", -1)), /epsilon cannot be -1/],
    [
      "with an epsilon that is no number",
      say(f32("llama.attention.layer_norm_rms_epsilon", Number.NaN)),
      /epsilon cannot be NaN/,
    ],
    [
      "with more experts used than there are",
      say(u32("llama.expert_count", 2), u32("llama.expert_used_count", 3)),
      /experts contradict/,
    ],
    ["with experts that nobody uses", say(u32("llama.expert_count", 2)), /experts contradict/],
    ["with layers of no inner length", say(u32("llama.feed_forward_length", 0)), /no inner length/],
    ["with an unknown scaling", say(text("llama.rope.scaling.type", "other")), /scaling\.type is unknown/],
    ["that describes other tensors than it has", say(u32("llama.embedding_length", 64)), /describes 64 x 263 numbers/],
    [
      "that describes rows of half a block",
      both(tensor("blk.0.ffn_down.weight", { type: 8 }), say(u32("llama.feed_forward_length", 16))),
      /rows of 16 numbers/,
    ],
    ["without a tokenizer", say(text("tokenizer.ggml.model", "none")), /no tokenizer/],
    ["without tokens", say(texts("tokenizer.ggml.tokens", [])), /no tokens/],
    ["with tokens that are no texts", say(numbers("tokenizer.ggml.tokens", 4, [1])), /of another kind/],
    [
      "with a token twice",
      say(texts("tokenizer.ggml.tokens", ["a", "b", "a"])),
      /token 2 of its tokenizer is there twice/,
    ],
    [
      "with tokens that are equal up to a zero byte",
      say(texts("tokenizer.ggml.tokens", ["a", "a\0b"])),
      /token 1 .* twice/,
    ],
    [
      "with fewer types than tokens",
      say(numbers("tokenizer.ggml.token_type", valueTypes.i32, [1])),
      /263 tokens and 1 types/,
    ],
    [
      "with fewer scores than tokens",
      say(numbers("tokenizer.ggml.scores", valueTypes.f32, [1])),
      /263 tokens and 1 scores/,
    ],
    [
      "with a byte that does not say which",
      say(
        texts("tokenizer.ggml.tokens", [..."ab", ...bytes]),
        numbers("tokenizer.ggml.token_type", valueTypes.i32, Array(258).fill(6)),
      ),
      /token 0 .* does not say which/,
    ],
    ["that lacks bytes", say(texts("tokenizer.ggml.tokens", ["a"])), /lacks some bytes/],
    [
      "that knows no unknown token",
      both(say(text("tokenizer.ggml.model", "rwkv")), omit("tokenizer.ggml.unknown_token_id")),
      /does not know/,
    ],
  ])("%s", (_, change, reason) => {
    expect(verdict(change)).toMatch(reason);
    expect(verdict(change)).toMatch(/^tiny\.gguf .*\. (Download it again|Choose another model)\.$/);
  });

  it("of another kind", () => {
    const path = join(folder, "story.gguf");
    writeFileSync(path, "Once upon a time there was a file.");
    expect(verdictOn(path)).toBe("story.gguf is no GGUF file. Download it again, or choose another model.");
  });

  it("that is cut, wherever it is", () => {
    const whole = writeDraft(tinyDraft());
    const path = join(folder, "cut.gguf");
    for (let end = 0; end < whole.length; end += 41) {
      writeFileSync(path, whole.subarray(0, end));
      expect(verdictOn(path), `at ${end}`).toMatch(/^cut\.gguf is (no GGUF file|incomplete)/);
    }
  });
});

// B56: nothing in a file makes the check hold more than a window of it.
describe("a file that speaks of", () => {
  /** Pieces of a file at their places; the rest is zeros, and takes no room on the disk. */
  const sparse = (size: number, pieces: Readonly<Record<number, Buffer>>): string => {
    const path = join(folder, "large.gguf");
    const file = openSync(path, "w");
    ftruncateSync(file, size);
    for (const [at, piece] of Object.entries(pieces)) writeSync(file, piece, 0, piece.length, Number(at));
    closeSync(file);
    return path;
  };
  const head = (tensors: number, entries: number) => {
    const counts = Buffer.alloc(24);
    counts.write("GGUF");
    counts.writeUInt32LE(3, 4);
    counts.writeBigUInt64LE(BigInt(tensors), 8);
    counts.writeBigUInt64LE(BigInt(entries), 16);
    return counts;
  };
  const u64 = (value: number) => {
    const size = Buffer.alloc(8);
    size.writeBigUInt64LE(BigInt(value));
    return size;
  };
  /** An entry under a key of one letter, up to where its elements or characters begin. */
  const entry = (type: number, sizes: Buffer, letter = 0) => {
    return Buffer.concat([u64(1), Buffer.from([97 + letter, type, 0, 0, 0]), sizes]);
  };
  const ofType = (type: number, length: number) => Buffer.concat([Buffer.from([type, 0, 0, 0]), u64(length)]);
  const mebibyte = 1 << 20;

  it.each<[string, string, () => string]>([
    [
      "2^40 entries",
      "is incomplete or damaged: it has 1048576 bytes and needs at least 14293651161112",
      () => sparse(mebibyte, { 0: head(0, 2 ** 40) }),
    ],
    ["more tensors than any model has", "speaks of 32769 tensors", () => sparse(mebibyte, { 0: head(32_769, 0) })],
    ["more entries than any model has", "speaks of 8193 entries", () => sparse(mebibyte, { 0: head(0, 8_193) })],
    [
      "a text of 17 megabytes",
      "a text in it has 17825792 bytes",
      () => sparse(18 * mebibyte, { 0: head(0, 1), 24: entry(8, u64(17 * mebibyte)) }),
    ],
    [
      "17 million numbers",
      "an array in it has 17825792 elements",
      () => sparse(18 * mebibyte, { 0: head(0, 1), 24: entry(9, ofType(0, 17 * mebibyte)) }),
    ],
    [
      "metadata without end",
      "its metadata has more than 134217728 bytes",
      () => {
        const words = Array.from({ length: 9 }, (_, index) => [index, entry(8, u64(1 << 24), index)] as const);
        const each = 21 + (1 << 24);
        const pieces = words.map(([index, bytes]) => [24 + index * each, bytes] as const);
        return sparse(160 * mebibyte, { 0: head(0, 9), ...Object.fromEntries(pieces) });
      },
    ],
    [
      "arrays without end",
      "its arrays have more than 8388608 elements in all",
      () => {
        const each = 25 + (1 << 22);
        const arrays = [0, 1, 2].map((index) => [24 + index * each, entry(9, ofType(0, 1 << 22), index)] as const);
        return sparse(16 * mebibyte, { 0: head(0, 3), ...Object.fromEntries(arrays) });
      },
    ],
  ])("%s", (_, reason, write) => {
    const path = write();
    const before = process.memoryUsage().arrayBuffers;
    expect(verdictOn(path)).toContain(reason);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * mebibyte);
  });
});

describe("a split model", () => {
  const split = (index: number, count: number, all: number) => [
    number("split.no", valueTypes.u16, index),
    number("split.count", valueTypes.u16, count),
    number("split.tensors.count", valueTypes.i32, all),
  ];
  const whole = tinyDraft();
  const [first, second] = [whole.tensors.slice(0, 5), whole.tensors.slice(5)];
  const part = (index: number) => join(folder, `split-0000${index}-of-00002.gguf`);
  const put = (one: Partial<Draft> = {}, two: Partial<Draft> = {}): string | undefined => {
    const all = whole.tensors.length;
    const entries = [...whole.entries, ...split(0, 2, all)];
    writeFileSync(part(1), writeDraft({ ...whole, entries, tensors: first, ...one }));
    writeFileSync(part(2), writeDraft({ ...whole, entries: split(1, 2, all), tensors: second, ...two }));
    return verdictOn(part(1));
  };

  it("is checked as one", () => {
    expect(put()).toBeUndefined();
  });

  it("names the part that is missing, cut or in the wrong place", () => {
    put();
    rmSync(part(2));
    expect(verdictOn(part(1))).toMatch(
      /^split-00001-of-00002\.gguf is incomplete: split-00002-of-00002\.gguf is missing/,
    );
    put();
    writeFileSync(part(2), writeDraft({ ...whole, entries: split(1, 2, 1), tensors: second }).subarray(0, -40));
    expect(verdictOn(part(1))).toMatch(/^split-00002-of-00002\.gguf is incomplete: it has \d+ bytes and needs \d+/);
    expect(put({}, { entries: split(0, 2, 1) })).toMatch(/^split-00002.* part 2 of 2/);
    expect(put({}, { entries: [u32("split.no", 1), ...split(1, 2, 1).slice(1)] })).toMatch(
      /^split-00002.* part 2 of 2/,
    );
    expect(put({}, { entries: [u32("split.count", 2)] })).toMatch(/^split-00002.* of how many parts/);
    expect(put({ entries: whole.entries })).toMatch(/^split-00001.* has 1 parts, and its name says 2/);
  });

  it("has each tensor once, and all that the first part announces", () => {
    expect(put({}, { tensors: second.slice(1) })).toMatch(/announces 21 tensors, and its parts have 20/);
    expect(put({}, { tensors: [...second, { name: "token_embd.weight", dimensions: [1], type: 0 }] })).toMatch(
      /same tensor/,
    );
  });

  it("is recognised under another name", () => {
    put();
    const path = join(folder, "renamed.gguf");
    writeFileSync(path, writeDraft({ ...whole, entries: [...whole.entries, ...split(0, 2, 21)], tensors: first }));
    expect(verdictOn(path)).toMatch(
      /^renamed\.gguf says that its model has 2 parts, and its name says 1\. Give the file back the name/,
    );
  });
});
