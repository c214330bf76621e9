import type { QuestionView } from "../../../shared/desktop/questions";
import type { TaskDetail } from "../../../shared/desktop/rows";
import { isTerminal } from "../../../shared/lifecycle";

export interface QuestionPlan {
  /** The question to show: the oldest that the person may answer, else one that waits for the caller. */
  readonly open: QuestionView | null;
  /** How many more wait for the person after it. */
  readonly waiting: number;
  /** One that closed while it was shown and has to be told of; the last of them. */
  readonly closed: QuestionView | null;
}

/** `seen` were shown open, `told` were told of after they closed. */
export function planOf(
  { questions, row }: Pick<TaskDetail, "questions" | "row">,
  seen: ReadonlySet<string>,
  told: ReadonlySet<string>,
): QuestionPlan {
  const isOver = isTerminal(row.status) || row.status === "cancelling";
  const isOpen = ({ answered }: QuestionView) => answered === null && !isOver;
  const open = questions.filter(isOpen);
  const own = open.filter(({ forPerson }) => forPerson);
  const closed = questions.filter((one) => one.forPerson && !isOpen(one) && seen.has(one.id) && !told.has(one.id));
  return { open: own[0] ?? open[0] ?? null, waiting: Math.max(0, own.length - 1), closed: lastOf(closed) };
}

function lastOf(closed: readonly QuestionView[]): QuestionView | null {
  const closedAt = ({ answered }: QuestionView) => answered?.at ?? Number.POSITIVE_INFINITY;
  return [...closed].sort((a, b) => closedAt(a) - closedAt(b)).at(-1) ?? null;
}
