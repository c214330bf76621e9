import type { ModelRow } from "../../../shared/desktop/contract";
import type { RestartPolicy } from "../../../shared/lifecycle";
import type { DraftFault, DraftField } from "../../state/draft";

/** What the form of a new task says. */
export const words = {
  title: "New task",
  prompt: "Prompt",
  promptHint: "What should the model write?",
  model: "Model",
  defaultModel: (name: string | undefined) => (name === undefined ? "Default" : `Default: ${name}`),
  modelState: ({ id, embedded, loaded, putAside }: ModelRow) =>
    [id, embedded ? "built-in toy" : null, loaded ? "loaded" : null, putAside === null ? null : "put aside"]
      .filter((part) => part !== null)
      .join(" · "),
  system: "System text",
  optional: "optional",
  none: "None",
  maxTokens: "Max tokens",
  noLimit: "As many as fit",
  context: (tokens: string) => `context has ${tokens}`,
  temperature: "Temperature",
  temperatureRange: "0 to 2",
  modelsOwn: "The model’s own",
  asJson: "Answer as JSON",
  asJsonHint: "holds the answer to a schema you paste",
  schema: "JSON schema",
  restart: "If Simmer restarts while this runs",
  policies: {
    fail: { name: "Fail", text: "End as failed. Nothing runs twice." },
    retry: { name: "Retry", text: "Start again from the prompt. The output so far is dropped." },
    resume: { name: "Resume", text: "Go on from the last words that were kept." },
  } satisfies Record<RestartPolicy, { name: string; text: string }>,
  ahead: (count: number) => (count === 1 ? "1 task is ahead of this one" : `${count} tasks are ahead of this one`),
  close: "Close",
  run: "Run",
  faults: {
    prompt: { empty: "Say what the model should do.", long: "The text is too long." },
    maxTokens: { number: "A whole number is needed.", range: "1 to 1,000,000 are possible." },
    temperature: { number: "A number is needed, such as 0.7.", range: "0 to 2 are possible." },
    schema: {
      empty: "Paste a JSON schema, or switch this off.",
      json: "This is not valid JSON.",
      object: "A schema is a JSON object: { … }.",
    },
  } satisfies Record<DraftField, Partial<Record<DraftFault, string>>>,
} as const;

export function faultText(field: DraftField, fault: DraftFault | undefined): string | null {
  if (fault === undefined) return null;
  return (words.faults[field] as Partial<Record<DraftFault, string>>)[fault] ?? null;
}
