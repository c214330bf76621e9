import {
  type ChatHistoryItem,
  type ChatModelResponse,
  type ChatWrapper,
  type LlamaModel,
  LlamaText,
  SpecialToken,
  SpecialTokensText,
} from "node-llama-cpp";
import type { Message } from "../../../shared/message";
import { ProblemError } from "../../../shared/problem";
import type { TokenSource } from "../token-source";

export interface Prompt {
  readonly tokens: readonly number[];
  readonly thinking: TokenSource["thinking"];
  /** Texts at which the model's template ends the turn. */
  readonly endTexts: readonly string[];
  /** Single tokens at which it does. */
  readonly endTokens: ReadonlySet<number>;
}

/**
 * Renders a conversation with the model's own chat template, in order and without losing a text: turns that the
 * template cannot hold where they are get merged into their neighbours. What people write is never read as special
 * tokens. A conversation that ends with an assistant turn is continued in that turn.
 * Throws ProblemError `invalid_request` when the template can hold none of the arrangements.
 */
export function renderPrompt(model: LlamaModel, wrapper: ChatWrapper, messages: readonly Message[]): Prompt {
  // LMSP: an empty assistant or system turn changes nothing.
  const turns = messages.filter(({ role, text }) => role === "user" || text !== "");
  const merged = mergeSystemTurns(turns);
  const alternating = mergeNeighbours(merged);
  for (const arrangement of [turns, merged, alternating, [{ role: "user", text: "" } as const, ...alternating]]) {
    const state = render(wrapper, arrangement);
    if (state !== undefined && holdsAll(state.contextText, turns)) return promptOf(model, wrapper, state);
  }
  throw new ProblemError("invalid_request", "input: the model's chat template cannot hold this order of turns.");
}

type ContextState = ReturnType<ChatWrapper["generateContextState"]>;

function promptOf(model: LlamaModel, wrapper: ChatWrapper, state: ContextState): Prompt {
  return {
    tokens: withOneStart(model, state.contextText.tokenize(model.tokenizer)),
    thinking: thinkingOf(wrapper, textOf(state.contextText)),
    ...endsOf(model, state.stopGenerationTriggers),
  };
}

function render(wrapper: ChatWrapper, turns: readonly Message[]): ContextState | undefined {
  const history = turns.map(toHistory);
  if (turns.at(-1)?.role !== "assistant") history.push(answerOf(wrapper));
  try {
    return wrapper.generateContextState({ chatHistory: history });
  } catch {
    return undefined; // templates refuse orders of turns that they do not know
  }
}

/** The turn to be written; some models are made to begin it with a thought. */
function answerOf(wrapper: ChatWrapper): ChatModelResponse {
  const opensThought = wrapper.settings.segments?.thought?.openOnResponseStart === true;
  const thought = { type: "segment", segmentType: "thought", text: "", ended: false } as const;
  return { type: "model", response: opensThought ? [thought] : [] };
}

function toHistory({ role, text }: Message): ChatHistoryItem {
  return role === "assistant" ? { type: "model", response: [text] } : { type: role, text };
}

/** Each system turn goes to the head of the next user turn; without one it becomes a user turn itself. */
function mergeSystemTurns(turns: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  let pending: string[] = [];
  const flush = (): void => {
    if (pending.length > 0) merged.push({ role: "user", text: pending.join("\n\n") });
    pending = [];
  };
  for (const turn of turns) {
    if (turn.role === "system") pending.push(turn.text);
    else if (turn.role === "user") {
      merged.push({ role: "user", text: [...pending, turn.text].join("\n\n") });
      pending = [];
    } else {
      flush();
      merged.push(turn);
    }
  }
  flush();
  return merged;
}

/** For templates that insist on turns that take turns. */
function mergeNeighbours(turns: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const turn of turns) {
    const last = merged.at(-1);
    if (last?.role === turn.role) merged[merged.length - 1] = { role: turn.role, text: `${last.text}\n\n${turn.text}` };
    else merged.push(turn);
  }
  return merged;
}

/** Templates may drop a turn silently. Blanks around a text may go: many templates trim. */
function holdsAll(rendered: LlamaText, turns: readonly Message[]): boolean {
  // What the template itself writes is no message, even if it reads like one.
  const text = rendered.values.filter((value) => typeof value === "string").join("\0");
  let from = 0;
  for (const turn of turns) {
    const wanted = turn.text.trim();
    const at = text.indexOf(wanted, from);
    if (at < 0) return false;
    from = at + wanted.length;
  }
  return true;
}

/** Exactly one start token for a model that wants one, also when its template writes one of its own. */
function withOneStart(model: LlamaModel, tokens: readonly number[]): readonly number[] {
  const start = model.tokens.bos;
  if (start === null) return tokens;
  const first = tokens.findIndex((token) => token !== start);
  if (first > 0) return tokens.slice(first - 1);
  return first === 0 && model.tokens.shouldPrependBosToken ? [start, ...tokens] : tokens;
}

function thinkingOf(wrapper: ChatWrapper, rendered: string): TokenSource["thinking"] {
  const { prefix, suffix } = wrapper.settings.segments?.thought ?? {};
  const close = suffix === undefined ? "" : textOf(LlamaText(suffix)).trim();
  if (prefix === undefined || close === "") return undefined;
  // Some templates open the thought unasked and leave only its end to the model.
  if (isOpenedOnStart(prefix)) return { open: close.replace("/", ""), close, startsOpen: true };
  const open = textOf(LlamaText(prefix)).trim();
  return open === "" ? undefined : { open, close, startsOpen: rendered.trimEnd().endsWith(open) };
}

function isOpenedOnStart(prefix: string | LlamaText | { readonly type: string }): prefix is { readonly type: string } {
  return typeof prefix === "object" && !LlamaText.isLlamaText(prefix);
}

function endsOf(
  model: LlamaModel,
  triggers: ContextState["stopGenerationTriggers"],
): Pick<Prompt, "endTexts" | "endTokens"> {
  const endTokens = new Set<number>();
  const endTexts = new Set<string>();
  for (const trigger of triggers.map((one) => LlamaText(one))) {
    const isSpecial = trigger.values.some((value) => typeof value !== "string");
    const [token, ...rest] = isSpecial ? trigger.tokenize(model.tokenizer) : [];
    // A special token shows no text, so it must be known by its number, whatever the template writes behind it.
    if (token !== undefined && (rest.length === 0 || model.isSpecialToken(token))) endTokens.add(token);
    else if (textOf(trigger) !== "") endTexts.add(textOf(trigger));
  }
  return { endTexts: [...endTexts], endTokens };
}

/** The text alone, whether it is read as special tokens or not. */
function textOf(text: LlamaText): string {
  return text.values.map((value) => (value instanceof SpecialToken ? "" : valueText(value))).join("");
}

function valueText(value: string | SpecialTokensText | { readonly value: unknown }): string {
  if (typeof value === "string") return value;
  return value instanceof SpecialTokensText ? value.value : String(value.value);
}
