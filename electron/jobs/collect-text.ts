import type { Finish, Usage } from "../../shared/task";
import { finishOf, type GenerationStep } from "../engine/backend";

/** A text that a job keeps for itself; a type, not an interface, so that a step can record it. */
export type Written = {
  readonly text: string;
  readonly finish: Finish;
  readonly usage: Pick<Usage, keyof Usage>;
};

/** Reads the steps to their end; what a reasoning model thinks is left out. */
export async function collectText(steps: AsyncIterable<GenerationStep>): Promise<Written> {
  let text = "";
  for await (const step of steps) {
    if (step.type === "piece" && step.output === "message") text += step.text;
    if (step.type === "ended") return { text, finish: finishOf[step.reason], usage: { ...step.usage } };
  }
  throw new Error("The backend's steps stopped without an end");
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 };

export function addUsage(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}
