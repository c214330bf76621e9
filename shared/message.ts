/** A turn of the conversation that a model continues. Order is kept; an empty turn changes nothing. */
export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly text: string;
}

/** What the text must look like. A schema is enforced by a grammar and fails closed. */
export type TextFormat =
  | { readonly type: "text" }
  | { readonly type: "json_object" }
  | { readonly type: "json_schema"; readonly schema: Readonly<Record<string, unknown>> };

/** How to write. Absent means: greedy is `temperature: 0`; no limit is what fits into the context. */
export interface WritingOptions {
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly seed?: number;
  readonly stop: readonly string[];
  readonly format: TextFormat;
}
