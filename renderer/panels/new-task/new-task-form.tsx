import { type KeyboardEvent, useRef, useState } from "react";
import { Notices } from "../../frame/notices";
import { type DraftFaults, type DraftField, draftFields, faultsOf } from "../../state/draft";
import { useWindow } from "../../state/store";
import { useSession } from "../../state/use-session";
import { Button } from "../../ui/button";
import { KeyCap } from "../../ui/key-cap";
import { MaxTokensField, PromptField, SystemField, TemperatureField } from "./draft-fields";
import { JsonField } from "./json-field";
import { ModelField } from "./model-field";
import styles from "./new-task-form.module.css";
import { RestartField } from "./restart-field";
import { faultText, words } from "./words";

/** A field shows its fault from the moment it is left, or from the first try to run. */
export function NewTaskForm() {
  const draft = useWindow((state) => state.draft);
  const isBusy = useWindow((state) => state.creating);
  const session = useSession();
  const form = useRef<HTMLFormElement>(null);
  const [checked, setChecked] = useState<ReadonlySet<DraftField>>(new Set());
  const faults = faultsOf(draft);
  const check = (field: DraftField) => setChecked((before) => new Set([...before, field]));
  const faultIn = (field: DraftField) => (checked.has(field) ? faultText(field, faults[field]) : null);
  const run = () => {
    setChecked(new Set(draftFields));
    if (!session.runDraft()) focusFirst(form.current, faults);
  };
  const keyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    run();
  };
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onKeyDown={keyDown}
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <div className={styles.fields}>
        <PromptField fault={checked.size > 1 ? faultIn("prompt") : null} />
        <ModelField />
        <MaxTokensField fault={faultIn("maxTokens")} onLeave={() => check("maxTokens")} />
        <SystemField />
        <TemperatureField fault={faultIn("temperature")} onLeave={() => check("temperature")} />
        <JsonField fault={faultIn("schema")} onLeave={() => check("schema")} />
        <RestartField />
      </div>
      <Notices isInline />
      <div className={styles.foot}>
        <Ahead />
        <Button onClick={() => session.compose(false)}>
          {words.close} <KeyCap keys="Esc" />
        </Button>
        <Button look="primary" type="submit" disabled={isBusy}>
          {words.run} <KeyCap keys="mod+Enter" />
        </Button>
      </div>
    </form>
  );
}

function focusFirst(form: HTMLFormElement | null, faults: DraftFaults): void {
  const first = draftFields.find((field) => faults[field] !== undefined) ?? "prompt";
  form?.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
}

/** How many tasks wait or run before a new one on the same model. */
function Ahead() {
  const rows = useWindow((state) => state.list?.rows);
  const model = useWindow((state) => state.draft.model);
  const fallback = useWindow((state) => state.models.find((one) => one.default)?.id);
  const wanted = model === "" ? fallback : model;
  const ahead = [...(rows?.values() ?? [])].filter((row) => row.status === "queued" && row.model === wanted).length;
  return <span className={styles.ahead}>{ahead > 0 && words.ahead(ahead)}</span>;
}
