import { type NewTask, newTaskSchema } from "../../shared/desktop/contract";
import type { RestartPolicy } from "../../shared/lifecycle";
import { numberIn } from "./typed-number";

/** A new task as it is being written: what stands in the fields, right or wrong. */
export interface Draft {
  readonly prompt: string;
  readonly system: string;
  /** Empty takes the default model. */
  readonly model: string;
  readonly maxTokens: string;
  readonly temperature: string;
  readonly asJson: boolean;
  readonly schema: string;
  readonly onRestart: RestartPolicy;
}

export const emptyDraft: Draft = {
  prompt: "",
  system: "",
  model: "",
  maxTokens: "",
  temperature: "",
  asJson: false,
  schema: "",
  onRestart: "fail",
};

export const draftFields = ["prompt", "maxTokens", "temperature", "schema"] as const;
/** The fields that can be wrong. */
export type DraftField = (typeof draftFields)[number];
export type DraftFault = "empty" | "number" | "range" | "json" | "object" | "long";
export type DraftFaults = Partial<Record<DraftField, DraftFault>>;

export type CheckedDraft = { readonly task: NewTask } | { readonly faults: DraftFaults };

export function checkDraft(draft: Draft): CheckedDraft {
  const faults = faultsOf(draft);
  if (Object.keys(faults).length > 0) return { faults };
  const task = newTaskSchema.safeParse({
    prompt: draft.prompt,
    system: draft.system.trim() === "" ? "" : draft.system,
    model: draft.model === "" ? null : draft.model,
    maxTokens: numberIn(draft.maxTokens),
    temperature: numberIn(draft.temperature),
    schema: draft.asJson ? JSON.parse(draft.schema) : null,
    onRestart: draft.onRestart,
  });
  return task.success ? { task: task.data } : { faults: { prompt: "long" } };
}

export function faultsOf(draft: Draft): DraftFaults {
  const faults: DraftFaults = {};
  if (draft.prompt.trim() === "") faults.prompt = "empty";
  const maxTokens = numberFault(draft.maxTokens, 1, 1_000_000, true);
  if (maxTokens !== null) faults.maxTokens = maxTokens;
  const temperature = numberFault(draft.temperature, 0, 2, false);
  if (temperature !== null) faults.temperature = temperature;
  const schema = draft.asJson ? schemaFault(draft.schema) : null;
  if (schema !== null) faults.schema = schema;
  return faults;
}

function numberFault(text: string, least: number, most: number, whole: boolean): DraftFault | null {
  const number = numberIn(text);
  if (number === null) return null;
  if (Number.isNaN(number) || (whole && !Number.isInteger(number))) return "number";
  return number < least || number > most ? "range" : null;
}

function schemaFault(text: string): DraftFault | null {
  if (text.trim() === "") return "empty";
  const schema = parsed(text);
  if (schema === undefined) return "json";
  return typeof schema === "object" && schema !== null && !Array.isArray(schema) ? null : "object";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // what is wrong with it is said as one of our own faults
  }
}
