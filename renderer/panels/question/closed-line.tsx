import clsx from "clsx";
import { useEffect, useEffectEvent } from "react";
import type { QuestionView } from "../../../shared/desktop/questions";
import { typedTextOf } from "../../state/answer-draft";
import { useWindow } from "../../state/store";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import phaseStyles from "../../ui/phase.module.css";
import { safeText } from "../detail/safe-text";
import styles from "./closed-line.module.css";
import { words } from "./words";

/** How long the line stands, unless it keeps something that the person typed in vain. */
const standing = 4_000;

interface ClosedLineProps {
  readonly question: QuestionView;
  readonly onCopy: (text: string) => unknown;
  readonly onEnd: () => void;
}

/** What became of a question that was shown a moment ago. */
export function ClosedLine({ question, onCopy, onEnd }: ClosedLineProps) {
  const draft = useWindow(({ answers }) => answers.get(question.id));
  const isOwn = question.answered !== null && question.answered.by === null;
  const typed =
    isOwn || draft === undefined || question.body.type !== "form" ? "" : typedTextOf(question.body.schema, draft);
  const isKept = typed !== "";
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (isKept) return;
    const timer = setTimeout(() => end(), standing);
    return () => clearTimeout(timer);
  }, [isKept]);
  return (
    <div
      className={clsx(
        styles.line,
        question.answered?.action === "accept" ? phaseStyles.succeeded : phaseStyles.cancelled,
      )}
    >
      <Icon name={question.answered?.action === "accept" ? "succeeded" : "cancelled"} />
      <p role={isOwn ? "status" : "alert"}>{textOf(question)}</p>
      {isKept && (
        <>
          <Button look="small" onClick={() => onCopy(typed)}>
            {words.copyTyped}
          </Button>
          <Button look="small" onClick={onEnd}>
            {words.close}
          </Button>
        </>
      )}
    </div>
  );
}

function textOf({ answered }: QuestionView): string {
  if (answered === null) return words.over;
  const text = words.answered[answered.action];
  return answered.by === null ? text.you : text.other(safeText(answered.by));
}
