import type { Shapes } from "./check-shapes";
import { damaged } from "./gguf-error";
import type { GgufHeader } from "./gguf-header";
import type { GgufReader } from "./gguf-reader";
import { withSquareAttention, withUnequalHeads, withWholeRotation } from "./head-rules";
import { numbersIn } from "./read-array";

/** llama.cpp's own bounds (LLAMA_MAX_LAYERS, LLAMA_MAX_EXPERTS), beyond which it ends the process. */
const mostLayers = 512;
const mostExperts = 1_024;
const mostHeads = 65_536;

/** What they say of the tensors; a list has one number for each layer, or one for all. */
export type HyperParameters = Omit<Shapes, "tokens">;

interface Range {
  readonly least: number;
  readonly most: number;
  readonly isRequired?: true;
}

const epsilon: Range = { least: 0, most: 1 };
const headLength: Range = { least: 1, most: 65_536 };

/** Between what a number must lie, by its key without the architecture; an array's every number. */
const ranges: Readonly<Record<string, Range>> = {
  context_length: { least: 1, most: 2 ** 31 - 1, isRequired: true },
  embedding_length: { least: 1, most: 1 << 20, isRequired: true },
  block_count: { least: 1, most: mostLayers, isRequired: true },
  nextn_predict_layers: { least: 0, most: mostLayers },
  feed_forward_length: { least: 0, most: 1 << 24 },
  expert_count: { least: 0, most: mostExperts },
  expert_used_count: { least: 0, most: mostExperts },
  expert_group_count: { least: 0, most: mostExperts },
  expert_group_used_count: { least: 0, most: mostExperts },
  "attention.head_count": { least: 0, most: mostHeads },
  "attention.head_count_kv": { least: 0, most: mostHeads },
  "attention.key_length": headLength,
  "attention.value_length": headLength,
  "attention.key_length_swa": headLength,
  "attention.value_length_swa": headLength,
  "attention.layer_norm_rms_epsilon": epsilon,
  "attention.layer_norm_epsilon": epsilon,
  "attention.group_norm_epsilon": epsilon,
  "rope.dimension_count": { least: 0, most: 65_536 },
};
const ropeScalings = ["none", "linear", "yarn", "longrope"];
/** Models with a state in place of attention, in some layers or in all, have layers without heads or without more. */
const otherLayers = /^[\w-]+\.(ssm|wkv|shortconv|kda)\./;

/**
 * Checks the numbers that llama.cpp allocates, divides and loops by. What it refuses with a message of its own is left
 * to it; here is what would end the process. Throws GgufError.
 */
export function checkHyperParameters(header: GgufHeader, reader: GgufReader, architecture: string): HyperParameters {
  const numbers = new Map<string, readonly number[]>();
  for (const [key, range] of Object.entries(ranges)) {
    const found = numbersOf(header, reader, `${architecture}.${key}`);
    if (found === undefined && range.isRequired) throw damaged(`it does not say its ${architecture}.${key}`);
    const wrong = found?.find((number) => !(number >= range.least && number <= range.most));
    if (wrong !== undefined) throw damaged(`its ${architecture}.${key} cannot be ${wrong}`);
    numbers.set(key, found ?? []);
  }
  const get = (key: string): readonly number[] => numbers.get(key) ?? [];
  const layers = get("block_count")[0] ?? 0;
  if (largest(get("nextn_predict_layers")) >= layers) throw damaged("all its layers are for guessing ahead");
  const isMixed = architecture === "deci" || [...header.values.keys()].some((key) => otherLayers.test(key));
  checkHeads(get, layers, isMixed);
  checkHeadLengths(get, architecture);
  checkInner(get, layers, isMixed);
  checkExperts(get, architecture);
  checkRope(header, architecture);
  return {
    embedding: largest(get("embedding_length")),
    inner: get("feed_forward_length"),
    heads: get("attention.head_count"),
    headLength: get("attention.key_length")[0],
  };
}

type Numbers = (key: string) => readonly number[];

/** Undefined when the file does not say; a single number is an array of one. */
function numbersOf({ values }: GgufHeader, reader: GgufReader, key: string): readonly number[] | undefined {
  const value = values.get(key);
  if (value === undefined) return undefined;
  const numbers =
    value.kind === "array"
      ? numbersIn(reader, value, mostLayers)
      : value.kind === "number"
        ? [value.number]
        : undefined;
  if (numbers === undefined || numbers.length === 0) throw damaged(`its ${key} is no number`);
  return numbers;
}

function checkHeads(get: Numbers, layers: number, isMixed: boolean): void {
  const heads = get("attention.head_count");
  const shared = get("attention.head_count_kv");
  for (let layer = 0; layer < layers; layer++) {
    const own = heads[layer] ?? heads[0] ?? 0;
    if (own === 0 && !isMixed) throw damaged("its model has no attention heads");
    const keys = shared[layer] ?? shared[0] ?? own;
    // An array may have layers of another kind, without keys.
    if (keys === 0 ? own > 0 && shared.length === 1 && !isMixed : own % keys !== 0) {
      throw damaged(`its ${own} attention heads cannot share ${keys} keys`);
    }
  }
}

function checkHeadLengths(get: Numbers, architecture: string): void {
  // Of a list llama.cpp takes the first layer's for these.
  const [heads = 0, ...others] = get("attention.head_count");
  if (heads === 0) return;
  const embedding = largest(get("embedding_length"));
  const usual = Math.floor(embedding / heads);
  const [keys = usual] = get("attention.key_length");
  const [values = usual] = get("attention.value_length");
  const [turned = keys] = get("rope.dimension_count");
  if (keys < 1 || values < 1) throw damaged("its attention heads have no length");
  const areSquare = heads * keys === embedding && others.every((other) => other === heads);
  if (!areSquare && withSquareAttention.has(architecture)) {
    throw damaged(`its ${heads} attention heads of ${keys} numbers do not make up its ${embedding}`);
  }
  if (turned > keys || turned % 2 !== 0) throw damaged(`${turned} numbers of its attention heads' ${keys} cannot turn`);
  if (keys !== values && !withUnequalHeads.has(architecture)) {
    throw damaged(`its attention heads have keys of ${keys} numbers and values of ${values}`);
  }
  if (turned !== keys && withWholeRotation.has(architecture)) {
    throw damaged(`only ${turned} numbers of its attention heads' ${keys} turn`);
  }
}

function checkInner(get: Numbers, layers: number, isMixed: boolean): void {
  const inner = get("feed_forward_length");
  for (let layer = 0; layer < layers && !isMixed; layer++) {
    if ((inner[layer] ?? inner[0] ?? 0) === 0) throw damaged(`its layer ${layer} has no inner length`);
  }
}

function checkExperts(get: Numbers, architecture: string): void {
  const experts = largest(get("expert_count"));
  // llama.cpp reads these two as models without experts then.
  if (/^hunyuan[-_](vl|dense)$/.test(architecture) && experts <= 1) return;
  const used = largest(get("expert_used_count"));
  const groups = largest(get("expert_group_count"));
  const usedGroups = largest(get("expert_group_used_count"));
  const areSound = experts === 0 ? used === 0 && groups === 0 : used > 0 && used <= experts && groups < experts;
  const groupsAreSound = groups <= 1 || (experts % groups === 0 && usedGroups > 0 && usedGroups < groups);
  if (!areSound || !groupsAreSound) throw damaged("the numbers of its experts contradict each other");
}

function checkRope({ values }: GgufHeader, architecture: string): void {
  const scaling = values.get(`${architecture}.rope.scaling.type`);
  if (scaling === undefined || (scaling.kind === "text" && ropeScalings.includes(scaling.text))) return;
  throw damaged(`its ${architecture}.rope.scaling.type is unknown`);
}

function largest(numbers: readonly number[]): number {
  return Math.max(0, ...numbers);
}
