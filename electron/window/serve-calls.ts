import { type CallName, contract } from "../../shared/desktop/contract";
import { isTree } from "../../shared/json";
import { problemOf } from "../../shared/problem";
import type { Handlers } from "../faces/desktop/desktop-face";

export type CallAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: { readonly code: string; readonly detail: string } };

/**
 * Answers one call of a window by the contract: unknown names and bad input are refused by name, and what goes out is
 * checked as well, so that nothing leaves which the contract does not say. A bug is told to `onBug`, not to the page.
 */
export async function answerCall(
  handlers: Handlers<CallName>,
  name: unknown,
  rawInput: unknown,
  onBug: (error: unknown) => void,
): Promise<CallAnswer> {
  if (!isCallName(name)) return refused(`there is no call ${named(name)}`);
  // Structured clone carries what no JSON can hold, and what a schema or a writer of JSON would never come to the end of.
  if (!isTree(rawInput)) return refused(`${name}: what comes with it is nested too deeply, or holds an object twice`);
  const input = contract[name].input.safeParse(rawInput);
  if (!input.success) {
    const [issue] = input.error.issues;
    return refused(`${[name, ...(issue?.path ?? [])].join(".")}: ${issue?.message ?? "not valid"}`);
  }
  try {
    const handle = handlers[name] as (input: unknown) => unknown;
    return { ok: true, value: contract[name].output.parse(await handle(input.data)) };
  } catch (error) {
    const { code, detail } = problemOf(error);
    if (code === "internal") onBug(error);
    return { ok: false, problem: { code, detail } };
  }
}

function isCallName(name: unknown): name is CallName {
  return typeof name === "string" && Object.hasOwn(contract, name);
}

function named(name: unknown): string {
  return typeof name === "string" ? `"${name.slice(0, 64)}"` : "whose name is no text";
}

function refused(detail: string): CallAnswer {
  return { ok: false, problem: { code: "invalid_request", detail } };
}
