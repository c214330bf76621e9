import { ProblemError } from "../../../shared/problem";
import type { Failure } from "./messages";

/** How an error crosses the channel: a problem as it is, a bug as its words; its stack stays in the log. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ProblemError) return { problem: error.problem };
  return { bug: error instanceof Error ? error.message : String(error) };
}

export function errorOf(failure: Failure): Error {
  if ("bug" in failure) return new Error(`The inference process failed: ${failure.bug}`);
  const { code, detail, ...options } = failure.problem;
  return new ProblemError(code, detail, options);
}
