import { isLegalChange, isTerminal } from "../../../shared/lifecycle";
import type { StoredTask } from "../readings/stored";
import type { Check } from "./evidence";

/** Every recorded path is one that a task may take, its attempts only grow, and it leads to where the task is. */
export const legalPaths: Check = ({ stored }) =>
  stored.tasks.flatMap((task) => faultsOf(task).map((fault) => `${fault} in the path of ${task.id}: ${pathOf(task)}`));

function faultsOf({ changes, status, attempt }: StoredTask): string[] {
  const [first] = changes;
  const last = changes.at(-1);
  const steps = changes.slice(1).flatMap((change, index) => stepFaults(changes[index], change));
  return [
    ...(first?.from === null && first.to === "queued" && first.attempt === 1 ? [] : ["a wrong beginning"]),
    ...steps,
    ...(last?.to === status && last.attempt === attempt ? [] : [`another end than ${status} #${attempt}`]),
    ...(changes.filter(({ to }) => isTerminal(to)).length <= 1 ? [] : ["two ends"]),
  ];
}

type Step = StoredTask["changes"][number];

function stepFaults(before: Step | undefined, { from, to, attempt, rev }: Step): string[] {
  if (before === undefined || from === null || from !== before.to) return [`a leap to ${from}`];
  const grown = attempt - before.attempt;
  const isRestart = from === to || (to === "queued" && from !== "queued");
  return [
    ...(isLegalChange(from, to) ? [] : [`an illegal step from ${from} to ${to}`]),
    ...(rev > before.rev ? [] : [`no new revision at ${to}`]),
    ...(grown === (isRestart ? 1 : 0) ? [] : [`attempt ${attempt} after ${before.attempt} at ${to}`]),
  ];
}

function pathOf({ changes }: StoredTask): string {
  return changes
    .map(({ to, attempt, reason }) => `${to} #${attempt}${reason === null ? "" : ` (${reason})`}`)
    .join(", ");
}
