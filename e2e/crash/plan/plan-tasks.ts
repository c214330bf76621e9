import type { RestartPolicy } from "../../../shared/lifecycle";
import { clientNames, type Format, type PersonsAnswer, type PlannedTask, type Work } from "./planned-task";
import type { Random } from "./random";

/** What there is to ask for: a folder of scripted models with a person at the desk, or the product with real ones. */
export type Kind = "scripted" | "real";

const text: Format = { type: "text" };
const verdict: Format = {
  type: "json_schema",
  schema: {
    type: "object",
    properties: { verdict: { type: "string", enum: ["good", "bad"] }, reason: { type: "string", maxLength: 200 } },
    required: ["verdict", "reason"],
    additionalProperties: false,
  },
};

/** One task of a random kind; `key` is its name in the round. */
export function planTask(random: Random, kind: Kind, key: string, policies: readonly RestartPolicy[]): PlannedTask {
  const face = random.pick(["lmsp", "lmsp", "lmsp", "legacy", "modern"] as const);
  const work = (kind === "real" ? realWork : scriptedWork)(random, face, key);
  const policy = face === "lmsp" && work.kind === "text" ? random.pick(policies) : "fail";
  const repeats = random.pick(["until answered", "until answered", "twice"] as const);
  const hasKey = face === "lmsp" && work.kind === "text" && (policy === "retry" || random.chance(0.5));
  return {
    key,
    client: random.pick(clientNames),
    face,
    work,
    policy,
    delivery: hasKey ? repeats : "once",
    readers: Array.from({ length: random.pick([1, 1, 2]) }, () => drops(random)),
    cancelAfter: work.kind !== "plain" && random.chance(0.2) ? random.between(0, 40) : null,
  };
}

function drops(random: Random): readonly number[] {
  return Array.from({ length: random.between(0, 3) }, () => random.between(1, 12));
}

function scriptedWork(random: Random, face: PlannedTask["face"], key: string): Work {
  const model = random.pick(["swift", "swift", "steady", "steady", "ponder", "deaf"]);
  const prompt = `Write about subject ${key}.`;
  if (face === "lmsp" && random.chance(0.15)) return { kind: "plain", model: "swift", prompt };
  const other = face === "lmsp" ? 1 : random.fraction();
  if (other < 0.25) return planBatch(random, "swift", key);
  if (other < 0.5) return planQuestion(random, key);
  if (other < 0.7) return { kind: "model", prompt, answer: random.pick(["swift", "steady", null]) };
  const maxTokens = model === "swift" && random.chance(0.5) ? random.between(1, 60) : 4_000;
  return { kind: "text", model, prompt, maxTokens, temperature: random.pick([0, 0.8]), format: text };
}

function realWork(random: Random, face: PlannedTask["face"], key: string): Work {
  const model = random.pick(["simmer-demo", "simmer-demo", "simmer-slow"]);
  const prompt = `Write a long report about town ${key}.`;
  if (face === "lmsp" && random.chance(0.1)) return { kind: "plain", model: "simmer-demo", prompt };
  if (face !== "lmsp" && random.chance(0.3)) return planBatch(random, "simmer-demo", key);
  const maxTokens = model === "simmer-slow" ? random.between(20, 60) : random.between(100, 600);
  return {
    kind: "text",
    model,
    prompt,
    maxTokens,
    temperature: random.pick([0, 0.8]),
    format: random.pick([text, verdict]),
  };
}

function planBatch(random: Random, model: string, key: string): Work {
  const inputs = Array.from({ length: random.between(2, 5) }, (_, index) => `item ${index} of ${key}`);
  return { kind: "batch", model, inputs };
}

function planQuestion(random: Random, key: string): Work {
  const answer: PersonsAnswer = random.pick(["accept", "accept", "decline", "none"]);
  return { kind: "person", question: `May ${key} begin? (${answer})`, answer };
}
