import clsx from "clsx";
import type { TaskRow } from "../../../shared/desktop/rows";
import { type ProblemCode, problems } from "../../../shared/problem";
import { Icon } from "../../ui/icon";
import phaseStyles from "../../ui/phase.module.css";
import styles from "./problem-box.module.css";
import { safeText } from "./safe-text";
import { TryAgain } from "./try-again";

export interface ProblemBoxProps {
  readonly problem: NonNullable<TaskRow["problem"]>;
  /** What the task was to run on. */
  readonly model: string | null;
}

/** Problems that a model may have been put aside for. */
const ofLoading: readonly string[] = ["model_load_failed", "backend_crashed"] satisfies ProblemCode[];

/** What went wrong in words, what to do about it, and the code last and small. */
export function ProblemBox({ problem: { code, detail }, model }: ProblemBoxProps) {
  const cause = code in problems ? problems[code as ProblemCode].title : null;
  return (
    <section className={clsx(styles.box, phaseStyles.failed)} aria-label={cause ?? code}>
      <Icon name="failed" />
      <div>
        {cause !== null && <p className={styles.cause}>{cause}</p>}
        <p className={styles.detail}>{safeText(detail)}</p>
        {model !== null && ofLoading.includes(code) && <TryAgain model={model} />}
        <code>{code}</code>
      </div>
    </section>
  );
}
