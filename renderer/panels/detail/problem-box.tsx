import clsx from "clsx";
import type { TaskRow } from "../../../shared/desktop/rows";
import { type ProblemCode, problems } from "../../../shared/problem";
import { Icon } from "../../ui/icon";
import phaseStyles from "../../ui/phase.module.css";
import styles from "./problem-box.module.css";
import { safeText } from "./safe-text";

/** What went wrong in words, what to do about it, and the code last and small. */
export function ProblemBox({ problem: { code, detail } }: { readonly problem: NonNullable<TaskRow["problem"]> }) {
  const cause = code in problems ? problems[code as ProblemCode].title : null;
  return (
    <section className={clsx(styles.box, phaseStyles.failed)} aria-label={cause ?? code}>
      <Icon name="failed" />
      <div>
        {cause !== null && <p className={styles.cause}>{cause}</p>}
        <p className={styles.detail}>{safeText(detail)}</p>
        <code>{code}</code>
      </div>
    </section>
  );
}
