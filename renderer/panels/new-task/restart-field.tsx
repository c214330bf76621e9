import { restartPolicies } from "../../../shared/lifecycle";
import { useWindow } from "../../state/store";
import { useSession } from "../../state/use-session";
import controls from "../../ui/control.module.css";
import styles from "./restart-field.module.css";
import { words } from "./words";

export function RestartField() {
  const chosen = useWindow((state) => state.draft.onRestart);
  const session = useSession();
  return (
    <fieldset className={styles.field}>
      <legend className={styles.legend}>{words.restart}</legend>
      <div className={styles.options}>
        {restartPolicies.map((policy) => (
          <label key={policy} className={styles.option}>
            <input
              type="radio"
              name="onRestart"
              className={controls.radio}
              checked={policy === chosen}
              onChange={() => session.write({ onRestart: policy })}
            />
            <span className={styles.name}>{words.policies[policy].name}</span>
            <span className={styles.text}>{words.policies[policy].text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
