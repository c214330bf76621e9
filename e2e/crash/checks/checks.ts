import type { Check, Evidence } from "./evidence";
import { noOrphanFiles, soundDatabase } from "./folder";
import { legalPaths } from "./legal-paths";
import { answersKept, completeTexts, endsWithReason, everythingEnded, heardIsTrue } from "./outcomes";
import { oneEventPerNumber, readAsKept, wholeHistories } from "./streams";
import { oneTaskPerCreate, tasksKept } from "./tasks-kept";

const clientsMetNoFault: Check = ({ recorded }) => recorded.broken;

/** What must hold at the end of a round. */
export const checks = {
  clientsMetNoFault,
  soundDatabase,
  tasksKept,
  oneTaskPerCreate,
  legalPaths,
  wholeHistories,
  readAsKept,
  oneEventPerNumber,
  everythingEnded,
  endsWithReason,
  heardIsTrue,
  completeTexts,
  answersKept,
  noOrphanFiles,
} as const satisfies Readonly<Record<string, Check>>;

export function checkRound(evidence: Evidence): readonly string[] {
  return Object.values(checks).flatMap((check: Check) => check(evidence));
}
