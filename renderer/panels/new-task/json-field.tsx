import { useWindow } from "../../state/store";
import { useSession } from "../../state/use-session";
import { Field } from "./field";
import styles from "./json-field.module.css";
import { words } from "./words";

/** A switch, and the schema under it while it is on. */
export function JsonField({ fault, onLeave }: { readonly fault: string | null; readonly onLeave: () => void }) {
  const { asJson, schema } = useWindow((state) => state.draft);
  const session = useSession();
  return (
    <div className={styles.json}>
      <label className={styles.line}>
        <input
          type="checkbox"
          role="switch"
          name="asJson"
          className={styles.switch}
          checked={asJson}
          aria-checked={asJson}
          onChange={(event) => session.write({ asJson: event.target.checked })}
        />
        <span className={styles.name}>{words.asJson}</span>
        <span className={styles.hint}>{words.asJsonHint}</span>
      </label>
      {asJson && (
        <div className={styles.below}>
          <Field label={words.schema} fault={fault}>
            {({ className, ...control }) => (
              <textarea
                {...control}
                className={`${className} ${styles.schema}`}
                name="schema"
                rows={5}
                spellCheck={false}
                placeholder={'{ "type": "object", "properties": { "answer": { "type": "string" } } }'}
                value={schema}
                onChange={(event) => session.write({ schema: event.target.value })}
                onBlur={onLeave}
              />
            )}
          </Field>
        </div>
      )}
    </div>
  );
}
