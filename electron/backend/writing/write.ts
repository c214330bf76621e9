import type { WritingOptions } from "../../../shared/message";
import type { GenerationStep } from "../../engine/backend";
import type { TokenSource } from "../token-source";
import { Characters } from "./characters";
import { OutputSplit, type Part } from "./output-split";

/**
 * Writes one output from a source of tokens: whole characters, thinking apart from the answer, up to the first stop
 * string or limit. Every token brings at least one step, whose text is "" while it is held back.
 * Throws what the source throws.
 */
export async function* write(source: TokenSource, options: WritingOptions): AsyncGenerator<GenerationStep> {
  const characters = new Characters((tokens, before) => source.detokenize(tokens, before));
  const split = new OutputSplit(source.thinking, options.stop, source.endTexts);
  const limit = options.maxTokens ?? Number.POSITIVE_INFINITY;
  let outputTokens = 0;
  const ended = (reason: EndReason): GenerationStep => {
    return { type: "ended", reason, usage: { inputTokens: source.promptTokens, outputTokens } };
  };

  let reason = limitReached(source, limit, outputTokens);
  while (reason === undefined) {
    const token = await source.next();
    if (token === undefined) {
      reason = "end";
      break;
    }
    outputTokens += 1;
    const output = split.output;
    const result = split.push(characters.push(token));
    for (const step of steps(result.parts, split.output, token)) yield step;
    if (result.ended !== undefined) {
      // What is held back now lies behind the end.
      yield ended(result.ended);
      return;
    }
    if (split.output !== output) source.outputChanged?.(split.output);
    reason = limitReached(source, limit, outputTokens);
  }
  for (const { output, text } of split.flush()) yield { type: "piece", output, text, tokens: [] };
  yield ended(reason);
}

type EndReason = Extract<GenerationStep, { type: "ended" }>["reason"];

function limitReached(source: TokenSource, limit: number, outputTokens: number): EndReason | undefined {
  if (outputTokens >= limit) return "max_tokens";
  return source.room <= 0 ? "context_full" : undefined;
}

/** The token's id goes with the first step that it brings. */
function steps(parts: readonly Part[], current: Part["output"], token: number): readonly GenerationStep[] {
  if (parts.length === 0) return [{ type: "piece", output: current, text: "", tokens: [token] }];
  return parts.map(({ output, text }, index) => ({ type: "piece", output, text, tokens: index === 0 ? [token] : [] }));
}
