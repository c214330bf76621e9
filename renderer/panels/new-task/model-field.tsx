import { useWindow } from "../../state/store";
import { useSession } from "../../state/use-session";
import { Icon } from "../../ui/icon";
import { Field } from "./field";
import styles from "./model-field.module.css";
import { words } from "./words";

export function ModelField() {
  const models = useWindow((state) => state.models);
  const model = useWindow((state) => state.draft.model);
  const session = useSession();
  return (
    <Field label={words.model}>
      {({ className, ...control }) => (
        <span className={styles.select}>
          <select
            {...control}
            className={`${className} ${styles.control}`}
            name="model"
            value={model}
            onChange={(event) => session.write({ model: event.target.value })}
          >
            <option value="">{words.defaultModel(models.find((one) => one.default)?.id)}</option>
            {models.map((one) => (
              <option key={one.id} value={one.id}>
                {words.modelState(one)}
              </option>
            ))}
          </select>
          <Icon name="down" />
        </span>
      )}
    </Field>
  );
}
