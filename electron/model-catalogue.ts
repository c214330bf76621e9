import { isStorageFailure, ProblemError } from "../shared/problem";
import type { Settings } from "../shared/settings";
import { chooseModel } from "./backend/model-library";
import type { Backend } from "./engine/backend";
import type {
  InstalledModel,
  ModelCatalogue,
  ModelLibrary,
  ModelListing,
  ModelsAside,
  SpecOf,
  UnnamedModel,
} from "./engine/models";
import type { TaskStore } from "./engine/store";

/** The installed models as a client sees them, and the choice among them. */
export class Catalogue implements ModelCatalogue {
  readonly #library: ModelLibrary;
  readonly #backend: Backend;
  readonly #store: TaskStore;
  readonly #settings: Settings;
  readonly #specOf: SpecOf;
  readonly #aside: ModelsAside;

  constructor(library: ModelLibrary, backend: Backend, store: TaskStore, settings: Settings, aside: ModelsAside) {
    this.#library = library;
    this.#backend = backend;
    this.#store = store;
    this.#settings = settings;
    this.#specOf = specBySettings(settings);
    this.#aside = aside;
  }

  async list(): Promise<readonly ModelListing[]> {
    const [installed, { loaded }] = await Promise.all([this.#library.list(), this.#backend.stats()]);
    const chosen = this.#defaultIfKnown(installed);
    return installed.map((model) => this.#describe(model, chosen, loaded));
  }

  forgive(model: string): void {
    this.#aside.forgive(model);
  }

  async choose(requested: string | null, unnamed: UnnamedModel): Promise<string | null> {
    if (requested === null && unnamed === "none") return null;
    const installed = await this.#library.list();
    const names = installed.map(({ id }) => id).join(", ");
    const model = requested ?? this.#default(installed, unnamed);
    if (model === undefined && unnamed === "ask") return null;
    if (model === undefined)
      throw new ProblemError("model_required", `Several models are installed, name one of them: ${names}.`);
    if (!installed.some(({ id }) => id === model))
      throw new ProblemError("model_not_found", `No model "${model.slice(0, 200)}" is installed; there are: ${names}.`);
    return model;
  }

  #describe(model: InstalledModel, chosen: string | undefined, loaded: readonly string[]): ModelListing {
    const { path: _, ...shown } = model;
    return {
      ...shown,
      default: model.id === chosen,
      loaded: loaded.includes(model.id),
      putAside: this.#aside.reasonOf(this.#specOf(model)),
    };
  }

  /** Which one was used last is not known while storage fails. */
  #defaultIfKnown(installed: readonly InstalledModel[]): string | undefined {
    try {
      return this.#default(installed);
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
      return undefined;
    }
  }

  #default(installed: readonly InstalledModel[], unnamed: UnnamedModel = "refuse"): string | undefined {
    // The one used last is a guess, and who can be asked is not guessed for.
    const lastUsed = (ids: readonly string[]) => (unnamed === "ask" ? undefined : this.#store.lastUsedModel(ids));
    return chooseModel(installed, this.#settings["models.default"], lastUsed);
  }
}

/** How a model is loaded, by the settings; null leaves it to the backend. */
export function specBySettings(settings: Settings): SpecOf {
  return ({ id, path }) => ({
    id,
    path,
    contextLength: settings["models.context"],
    threads: settings["models.threads"],
    parallel: settings["limits.parallel"],
    gpu: settings["models.gpu"],
  });
}
