import { tensorTypes } from "./tensor-types";
import { type Draft, type Entry, number, numbers, type Shape, text, texts, tinyDraft, writeHeader } from "./test-gguf";
import type { Random } from "./test-random";
import { valueTypes } from "./value-types";

/** The beginning of a file, how long the whole is (the rest is zeros), and what was done to it. */
export interface Mutant {
  readonly header: Buffer;
  readonly size: number;
  readonly story: string;
}

/** The file as it is meant to be. */
export function plain(draft: Draft, story: string): Mutant {
  const { header, data } = writeHeader(draft);
  return { header, size: header.length + data, story };
}

/** A mutant of a sound file: of its bytes, or of what they mean. */
export function mutantOf(draft: Draft, chance: Random): Mutant {
  const told = chance.chance(0.7) ? times(chance, 2, () => chance.pick(meanings)(draft, chance)) : [];
  const whole = plain(draft, told.join("; "));
  if (told.length > 0 && chance.chance(0.9)) return whole;
  const { story, ...cut } = chance.pick(bytes)(whole, chance);
  return { ...cut, story: [...told, story].join("; ") };
}

/** A tiny model whose numbers agree with each other and with its tensors, and are yet unheard of. */
export function strangeDraft(chance: Random): Draft {
  const heads = chance.pick([1, 2, 3, 4, 5, 8]);
  const headLength = chance.pick([2, 3, 4, 6, 8, 16, 31, 32]);
  const shape: Shape = {
    architecture: chance.chance(0.4) ? "llama" : chance.pick(architectures),
    layers: chance.pick([1, 1, 2, 3]),
    heads,
    keys: chance.pick([1, 2, 3, heads]),
    headLength,
    width: chance.chance(0.7) ? heads * headLength : chance.pick([1, 8, 32, 256]),
    inner: chance.pick([1, 7, 32, 256]),
    type: chance.chance(0.7) ? chance.pick([0, 1, 30]) : chance.pick(Object.keys(tensorTypes).map(Number)),
  };
  return tinyDraft(shape);
}

/** Some whose tensors are those of a Llama, more or less, and some that are built in another way. */
const architectures = [
  "qwen2 qwen3 gemma gemma2 gemma3 phi3 mistral3 internlm2 minicpm granite olmo olmo2 baichuan xverse orion",
  "stablelm starcoder2 command-r cohere2 deepseek deepseek2 glm4 chatglm exaone smollm3 seed_oss arcee",
  "ernie4_5 hunyuan-dense dream llada deci refact qwen2moe qwen3moe llama4 grok dbrx olmoe gpt-oss lfm2",
  "mamba mamba2 jamba rwkv6 rwkv7 falcon falcon-h1 gpt2 gptneox mpt bloom t5 nemotron nemotron_h plamo2",
  "openelm qwen2vl qwen3next gemma3n gemma4 minimax-m2 talkie nanbeige apertus bitnet qwen3tts",
].flatMap((names) => names.split(" "));

type Meaning = (draft: Draft, chance: Random) => string;

const odd = [0, 1, 2, 3, 5, 7, 8, 31, 32, 33, 64, 127, 255, 256, 511, 512, 513, 1_024, 65_535, 65_536];
const wild = [...odd, 2 ** 20, 2 ** 24, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 40, 2 ** 53, 2 ** 62, 2 ** 63, -1];
const wildFloats = [0, -0, 1, -1, 1e-38, 1e38, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e6];
const words = ["", "none", "no_vocab", "llama", "gpt2", "bert", "t5", "rwkv", "plamo2", "gemma4", "yarn", "longrope"];
const moreWords = [
  "default",
  "qwen2",
  "llama-bpe",
  "a\0b",
  "é",
  "\u{1f600}",
  "x".repeat(300),
  "__proto__",
  "{% for %}",
];

const meanings: readonly Meaning[] = [
  (draft, chance) => {
    const entry = chance.pick(draft.entries);
    Object.assign(entry, { ...valueFor(entry, chance), key: entry.key });
    return `${entry.key} becomes ${entry.type} ${shown(entry)}`;
  },
  (draft, chance) => {
    const entry = chance.pick(draft.entries.filter(({ type }) => type === valueTypes.u32 || type === valueTypes.f32));
    Object.assign(entry, number(entry.key, entry.type, chance.pick(entry.type === valueTypes.u32 ? odd : wildFloats)));
    return `${entry.key} becomes ${shown(entry)}`;
  },
  (draft, chance) => {
    const [removed] = draft.entries.splice(chance.below(draft.entries.length), 1);
    return `without ${removed?.key}`;
  },
  (draft, chance) => {
    const entry = chance.pick(draft.entries);
    draft.entries.push({ ...entry });
    return `${entry.key} twice`;
  },
  (draft, chance) => {
    const entry = chance.pick(draft.entries);
    const { key } = entry;
    entry.key = chance.pick(["", "a\0b", "__proto__.x", "general.architecture.x", `${key}.x`, key.toUpperCase()]);
    return `${key} is called ${entry.key}`;
  },
  (draft, chance) => {
    const architecture = architectureIn(draft);
    const key = `${architecture}.${chance.pick(otherKeys)}`;
    draft.entries.push(
      chance.chance(0.3) ? number(key, valueTypes.f32, chance.pick(wildFloats)) : number(key, 4, chance.pick(odd)),
    );
    return `says ${key} too`;
  },
  (draft, chance) => {
    const key = `${architectureIn(draft)}.${chance.pick(arrayKeys)}`;
    const values = Array.from({ length: chance.pick([0, 1, 2, 3, 6, 513]) }, () => chance.pick(odd));
    draft.entries = [
      ...draft.entries.filter((entry) => entry.key !== key),
      numbers(key, chance.pick([4, 5, 6, 7]), values),
    ];
    return `${key} is ${values}`;
  },
  (draft, chance) => {
    const tokens = Array.from({ length: chance.pick([1, 2, 5, 300]) }, () => chance.pick([...words, ...moreWords]));
    const entry = texts("tokenizer.ggml.tokens", chance.chance(0.5) ? [...new Set(tokens)] : tokens);
    draft.entries = draft.entries.map((one) => (one.key === entry.key ? entry : one));
    return "other tokens";
  },
  (draft, chance) => {
    const model = chance.pick(words);
    const merges = texts("tokenizer.ggml.merges", chance.pick([[], [""], ["a b", "a b"], ["ab"], [" "]]));
    const entries = draft.entries.filter(({ key }) => key !== "tokenizer.ggml.model" && key !== merges.key);
    draft.entries = [...entries, text("tokenizer.ggml.model", model), merges];
    return `with the tokenizer ${model}`;
  },
  (draft, chance) => {
    const tensor = chance.pick(draft.tensors);
    tensor.type = chance.chance(0.8) ? chance.pick(Object.keys(tensorTypes).map(Number)) : chance.below(50);
    return `${tensor.name} of type ${tensor.type}`;
  },
  (draft, chance) => {
    const tensor = chance.pick(draft.tensors);
    tensor.dimensions = Array.from({ length: chance.below(6) }, () => chance.pick([...tensor.dimensions, ...wild]));
    return `${tensor.name} of ${tensor.dimensions}`;
  },
  (draft, chance) => {
    const tensor = chance.pick(draft.tensors);
    tensor.offset = chance.pick(wild.filter((one) => one >= 0));
    return `${tensor.name} at ${tensor.offset}`;
  },
  (draft, chance) => {
    const tensor = chance.pick(draft.tensors);
    const { name } = tensor;
    tensor.name = chance.pick(["", "a\0b", "x".repeat(64), "token_embd.weight", "rope_freqs.weight", `${name}s`]);
    return `${name} is called ${tensor.name}`;
  },
  (draft, chance) => {
    const name = chance.pick(otherTensors);
    const dimensions = chance.pick([[1], [4], [32], [64], [32, 64]]);
    draft.tensors.push({ name, dimensions, type: chance.pick([0, 1, 26, 30]) });
    return `with ${name} of ${dimensions}`;
  },
  (draft, chance) => {
    const [removed] = draft.tensors.splice(chance.below(draft.tensors.length), 1);
    return `without ${removed?.name}`;
  },
  (draft, chance) => {
    draft.alignment = chance.pick([1, 2, 8, 64, 4_096]);
    const said = chance.chance(0.5) ? draft.alignment : chance.pick(wild);
    draft.entries.push(number("general.alignment", chance.pick([4, 4, 4, 10]), said));
    return `aligned to ${draft.alignment}, says ${said}`;
  },
];

const otherKeys = [
  ...["expert_count", "expert_used_count", "expert_group_count", "nextn_predict_layers", "pooling_type", "vocab_size"],
  ...[
    "attention.sliding_window",
    "attention.causal",
    "attention.scale",
    "attention.clamp_kqv",
    "attention.q_lora_rank",
  ],
  ...["attention.max_alibi_bias", "rope.freq_base", "rope.scaling.factor", "rope.scaling.original_context_length"],
  ...[
    "attention.layer_norm_epsilon",
    "logit_scale",
    "residual_scale",
    "embedding_scale",
    "ssm.inner_size",
    "ssm.conv_kernel",
  ],
  ...[
    "embedding_length_out",
    "rope.scaling.attn_factor",
    "use_parallel_residual",
    "attention.kv_lora_rank",
    "leading_dense_block_count",
  ],
];
const arrayKeys = [
  "attention.head_count",
  "attention.head_count_kv",
  "feed_forward_length",
  "expert_used_count",
  "rope.dimension_sections",
];
const otherTensors = [
  "rope_freqs.weight",
  "blk.0.attn_q.bias",
  "blk.0.attn_q.scale",
  "blk.0.ffn_gate_inp.weight",
  "cls.weight",
  "blk.0.attn_norm.bias",
  "output.bias",
];

type Damage = (whole: Omit<Mutant, "story">, chance: Random) => Mutant;

const bytes: readonly Damage[] = [
  ({ header, size }, chance) => {
    const count = times(chance, 8, () => {
      const at = chance.below(header.length);
      header.writeUInt8(header.readUInt8(at) ^ (1 << chance.below(8)), at);
    }).length;
    return { header, size, story: `${count} bits turned` };
  },
  ({ header, size }, chance) => {
    // The counts and the first entries are hit more often than by chance.
    const at = chance.below(chance.chance(0.5) ? 200 : header.length - 8);
    const value = chance.pick(wild);
    header.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), at);
    return { header, size, story: `${value} written at ${at}` };
  },
  ({ header, size }, chance) => {
    const at = chance.below(chance.chance(0.5) ? header.length : size);
    return { header: header.subarray(0, at), size: at, story: `cut to ${at} of ${size} bytes` };
  },
  ({ header, size }, chance) => {
    const [from, count] = [chance.below(header.length), chance.below(64)];
    const joined = Buffer.concat([header.subarray(0, from), header.subarray(from + count)]);
    return { header: joined, size: size - count, story: `${count} bytes taken out at ${from}` };
  },
  ({ header, size }, chance) => {
    const [from, to, count] = [chance.below(header.length), chance.below(header.length), chance.below(64)];
    header.copy(header, to, from, from + count);
    return { header, size, story: `${count} bytes of ${from} copied to ${to}` };
  },
];

function valueFor({ key }: Entry, chance: Random): Pick<Entry, "type" | "value"> {
  const type = chance.pick([0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12]);
  return chance.pick([
    () => text(key, chance.pick([...words, ...moreWords])),
    () => number(key, type, chance.pick(odd)),
    () => numbers(key, type, [chance.pick(odd), chance.pick(odd)]),
    () => texts(key, [chance.pick(words)]),
    () => ({ ...number(key, type, 0), type: chance.below(16) }),
  ])();
}

function architectureIn({ entries }: Draft): string {
  return /^([\w-]+)\.context_length$/m.exec(entries.map(({ key }) => key).join("\n"))?.[1] ?? "llama";
}

function shown({ value }: Entry): string {
  return value.subarray(0, 16).toString("hex");
}

function times<T>(chance: Random, most: number, act: () => T): T[] {
  return Array.from({ length: 1 + chance.below(most) }, act);
}
