import { useWindow } from "../../state/store";
import { useSession } from "../../state/use-session";
import { countOf } from "../../ui/figures";
import styles from "./draft-fields.module.css";
import { Field } from "./field";
import { words } from "./words";

interface CheckedFieldProps {
  readonly fault: string | null;
  readonly onLeave: () => void;
}

export function PromptField({ fault }: { readonly fault: string | null }) {
  const prompt = useWindow((state) => state.draft.prompt);
  const session = useSession();
  return (
    <Field label={words.prompt} isLabelHidden fault={fault} isFull>
      {({ className, ...control }) => (
        <textarea
          {...control}
          className={`${className} ${styles.prompt}`}
          name="prompt"
          rows={5}
          placeholder={words.promptHint}
          value={prompt}
          onChange={(event) => session.write({ prompt: event.target.value })}
        />
      )}
    </Field>
  );
}

export function SystemField() {
  const system = useWindow((state) => state.draft.system);
  const session = useSession();
  return (
    <Field label={words.system} hint={words.optional}>
      {(control) => (
        <textarea
          {...control}
          name="system"
          rows={1}
          placeholder={words.none}
          value={system}
          onChange={(event) => session.write({ system: event.target.value })}
        />
      )}
    </Field>
  );
}

export function MaxTokensField({ fault, onLeave }: CheckedFieldProps) {
  const maxTokens = useWindow((state) => state.draft.maxTokens);
  const wanted = useWindow((state) => state.draft.model);
  const model = useWindow(({ models }) => models.find((one) => (wanted === "" ? one.default : one.id === wanted)));
  const session = useSession();
  const hint = model?.contextLength == null ? undefined : words.context(countOf(model.contextLength));
  return (
    <Field label={words.maxTokens} hint={hint} fault={fault}>
      {(control) => (
        <input
          {...control}
          name="maxTokens"
          inputMode="numeric"
          placeholder={words.noLimit}
          value={maxTokens}
          onChange={(event) => session.write({ maxTokens: event.target.value })}
          onBlur={onLeave}
        />
      )}
    </Field>
  );
}

export function TemperatureField({ fault, onLeave }: CheckedFieldProps) {
  const temperature = useWindow((state) => state.draft.temperature);
  const session = useSession();
  return (
    <Field label={words.temperature} hint={words.temperatureRange} fault={fault}>
      {(control) => (
        <input
          {...control}
          name="temperature"
          inputMode="decimal"
          placeholder={words.modelsOwn}
          value={temperature}
          onChange={(event) => session.write({ temperature: event.target.value })}
          onBlur={onLeave}
        />
      )}
    </Field>
  );
}
