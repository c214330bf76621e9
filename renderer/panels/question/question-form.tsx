import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { PersonAnswer } from "../../../shared/desktop/questions";
import { type FormSchema, fieldsOf } from "../../../shared/form-schema";
import { type AnswerDraft, checkAnswer, heldIn } from "../../state/answer-draft";
import { useWindow } from "../../state/store";
import { useSession } from "../../state/use-session";
import { Button } from "../../ui/button";
import { KeyCap } from "../../ui/key-cap";
import { PlainText } from "../detail/plain-text";
import { safeText } from "../detail/safe-text";
import { AnswerField } from "./answer-field";
import { firstFaultOf, unreadableIn } from "./form-elements";
import styles from "./question-form.module.css";
import { words } from "./words";

interface QuestionFormProps {
  readonly id: string;
  readonly message: string;
  readonly schema: FormSchema;
  /** Who else may answer. */
  readonly other: string | null;
  readonly onAnswer: (answer: PersonAnswer) => void;
}

const nothingYet: AnswerDraft = {};

/**
 * The form of one question; what is typed lives in the session, by question. A field shows its fault from the moment
 * it is left after it was touched, or from the first try to send.
 */
export function QuestionForm({ id, message, schema, other, onAnswer }: QuestionFormProps) {
  const draft = useWindow(({ answers }) => answers.get(id) ?? nothingYet);
  const isSending = useWindow(({ sending }) => sending.has(id));
  const session = useSession();
  const form = useRef<HTMLFormElement>(null);
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const [unreadable, setUnreadable] = useState<ReadonlySet<string>>(new Set());
  const [tries, setTries] = useState(0);
  // Once the faults stand below their fields, so that they are read out with the field.
  useEffect(() => {
    if (tries > 0) firstFaultOf(form.current)?.focus();
  }, [tries]);
  const fields = fieldsOf(schema);
  const { content, faults } = checkAnswer(schema, draft);
  const faultIn = (name: string) => {
    if (!checked.has(name)) return undefined;
    return unreadable.has(name) ? words.incomplete : faults?.get(name);
  };
  const leave = ({ target }: FocusEvent) => {
    const name = target.closest("[data-field]")?.getAttribute("data-field");
    const cut = unreadableIn(form.current);
    setUnreadable(cut);
    if (name != null && (Object.hasOwn(draft, name) || cut.has(name)))
      setChecked((before) => new Set([...before, name]));
  };
  const send = () => {
    const cut = unreadableIn(form.current);
    setUnreadable(cut);
    setChecked(new Set(fields.map(({ name }) => name)));
    if (content === null || cut.size > 0) setTries(tries + 1);
    else onAnswer({ action: "accept", content });
  };
  const keyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onKeyDown={keyDown}
      onBlur={leave}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className={styles.body}>
        <div className={styles.message}>
          <PlainText text={safeText(message)} />
        </div>
        {fields.length > 0 && (
          <div className={styles.fields}>
            {fields.map((field) => (
              <AnswerField
                key={field.name}
                field={field}
                value={heldIn(field, draft)}
                fault={faultIn(field.name)}
                onChange={(value) => session.fill(id, field.name, value)}
              />
            ))}
          </div>
        )}
      </div>
      <div className={styles.foot}>
        <Button look="primary" type="submit" disabled={isSending}>
          {words.send} <KeyCap keys="mod+Enter" />
        </Button>
        <Button disabled={isSending} onClick={() => onAnswer({ action: "decline" })}>
          {words.decline}
        </Button>
        <Button look="quiet" disabled={isSending} onClick={() => onAnswer({ action: "cancel" })}>
          {words.dismiss}
        </Button>
        {other !== null && <p className={styles.other}>{words.callerToo(safeText(other))}</p>}
      </div>
    </form>
  );
}
