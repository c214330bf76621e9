import { ProblemError } from "../../shared/problem";
import type { ModelSpec } from "../engine/backend";
import type { ModelsAside } from "../engine/models";
import { type AsideFile, versionOf } from "./aside-file";

const limit = 3;
const period = 10 * 60_000;

/**
 * Puts a model aside whose loading crashed the process three times within ten minutes, until a person says otherwise:
 * in the window, or by giving it another file or other settings. A restart says nothing, so it is kept in a file.
 */
export class LoadCrashes implements ModelsAside {
  readonly #times = new Map<string, readonly number[]>();
  readonly #aside: Map<string, { readonly version: string; readonly why: string }>;
  readonly #file: AsideFile | undefined;

  constructor(file?: AsideFile) {
    this.#file = file;
    this.#aside = new Map(file?.read());
  }

  /** `why` are whole sentences. */
  crashed(model: ModelSpec, why: string, now: number): void {
    const times = [...(this.#times.get(model.id) ?? []), now].filter((time) => time > now - period);
    this.#times.set(model.id, times);
    if (times.length < limit) return;
    this.#aside.set(model.id, { version: versionOf(model), why });
    this.#file?.write(this.#aside);
  }

  /** It loads after all; or a person wants to try it again. */
  forgive(model: string): void {
    this.#times.delete(model);
    if (this.#aside.delete(model)) this.#file?.write(this.#aside);
  }

  reasonOf(model: ModelSpec): string | null {
    const aside = this.#aside.get(model.id);
    if (aside === undefined || aside.version !== versionOf(model)) return null;
    return [
      `Loading the model "${model.id}" ended the inference process ${limit} times within ten minutes, so it is put aside.`,
      aside.why,
      "To have it loaded again, try it again in Simmer's window, replace its file, or change the settings of models.",
    ].join(" ");
  }

  /** Throws ProblemError `model_load_failed` for a model that is put aside. */
  check(model: ModelSpec): void {
    const reason = this.reasonOf(model);
    if (reason !== null) throw new ProblemError("model_load_failed", reason);
    if (this.#aside.has(model.id)) this.forgive(model.id);
  }
}
