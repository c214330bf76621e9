import type { RestartPolicy } from "../../../shared/lifecycle";

export const clientNames = ["ann", "bob"] as const;
export type ClientName = (typeof clientNames)[number];

export type Format =
  | { readonly type: "text" }
  | { readonly type: "json_schema"; readonly schema: Readonly<Record<string, unknown>> };

/** What a task is to do. */
export type Work =
  | {
      readonly kind: "text";
      readonly model: string;
      readonly prompt: string;
      readonly maxTokens: number;
      readonly temperature: number;
      readonly format: Format;
    }
  /** A text as one call, which ends with its connection. */
  | { readonly kind: "plain"; readonly model: string; readonly prompt: string }
  | { readonly kind: "batch"; readonly model: string; readonly inputs: readonly string[] }
  /** For the person at the desktop, who answers as the question says. */
  | { readonly kind: "person"; readonly question: string; readonly answer: PersonsAnswer }
  /** A text whose model the agent is asked for; it answers, or leaves the question open. */
  | { readonly kind: "model"; readonly prompt: string; readonly answer: string | null };

export type PersonsAnswer = "accept" | "decline" | "none";

export interface PlannedTask {
  /** Its name in the round, and its idempotency key where it has one. */
  readonly key: string;
  readonly client: ClientName;
  readonly face: "lmsp" | "legacy" | "modern";
  readonly work: Work;
  readonly policy: RestartPolicy;
  /** How its create is sent: with a key it can be repeated until it is answered, or sent twice at once. */
  readonly delivery: "once" | "until answered" | "twice";
  /** For each reader: after how many events it drops its first, second, ... connection. The last one it keeps. */
  readonly readers: readonly (readonly number[])[];
  /** After how many more moments of the round it is cancelled. */
  readonly cancelAfter: number | null;
}
