import clsx from "clsx";
import { useId } from "react";
import type { QuestionView } from "../../../shared/desktop/questions";
import type { TaskRow } from "../../../shared/desktop/rows";
import { useSession } from "../../state/use-session";
import { clockOf } from "../../ui/figures";
import { Icon } from "../../ui/icon";
import phaseStyles from "../../ui/phase.module.css";
import { safeText } from "../detail/safe-text";
import styles from "./question-card.module.css";
import { QuestionForm } from "./question-form";
import { words } from "./words";

interface QuestionCardProps {
  readonly question: QuestionView;
  /** How many more wait after it. */
  readonly more: number;
  readonly row: TaskRow;
  readonly now: number;
}

/** One open question: who asks, what, and the form to answer it. What the caller alone may answer is only said. */
export function QuestionCard({ question, more, row, now }: QuestionCardProps) {
  const session = useSession();
  const title = useId();
  const { body, forPerson, forCaller } = question;
  const isOwn = row.origin === "desktop";
  if (!forPerson || body.type !== "form") {
    return (
      <p className={clsx(styles.elsewhere, phaseStyles.input_required)}>
        <Icon name="input" />
        {words.elsewhere[body.type](safeText(row.client))}
      </p>
    );
  }
  return (
    <section className={clsx(styles.card, phaseStyles.input_required)} aria-labelledby={title}>
      <header className={styles.head}>
        <Icon name="input" />
        <h2
          id={title}
          className={styles.asker}
          title={row.caller === null ? undefined : words.saysOfItself(row.caller)}
        >
          {isOwn ? words.thisTaskAsks : words.asks(safeText(row.client))}
        </h2>
        <span className={styles.times}>{timesOf(question, row, more, now)}</span>
      </header>
      <QuestionForm
        id={question.id}
        message={body.message}
        schema={body.schema}
        other={forCaller && !isOwn ? row.client : null}
        onAnswer={(answer) => void session.answer(row.id, question.id, answer)}
      />
    </section>
  );
}

function timesOf(question: QuestionView, row: TaskRow, more: number, now: number): string {
  const parts = [words.waiting(clockOf(now - question.askedAt))];
  if (row.expiresAt !== null) parts.push(words.closesIn(clockOf(row.expiresAt - now)));
  if (more > 0) parts.unshift(words.more(more));
  return parts.join(" · ");
}
