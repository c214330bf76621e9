import { useWindow } from "../../state/store";
import { useSession } from "../../state/use-session";
import controls from "../../ui/control.module.css";
import { Icon } from "../../ui/icon";
import { Field } from "./field";
import { words } from "./words";

export function ModelField() {
  const models = useWindow((state) => state.models);
  const model = useWindow((state) => state.draft.model);
  const session = useSession();
  return (
    <Field label={words.model}>
      {(control) => (
        <span className={controls.select}>
          <select
            {...control}
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
