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

const titleLength = 200;

/** What a conversation is about in one line: the beginning of what was asked last. Never half a character. */
export function titleOf(messages: readonly Message[]): string {
  const asked = messages.findLast(({ role, text }) => role === "user" && text.trim() !== "") ?? messages.at(-1);
  const [line = ""] = (asked?.text ?? "").trim().split(/[\r\n]/, 1);
  return [...line.slice(0, titleLength * 2)].slice(0, titleLength).join("");
}
