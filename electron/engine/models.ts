import type { ModelSpec } from "./backend";

/** The models that are installed on this machine. */
export interface ModelLibrary {
  /** Sorted by id; read from the folders anew at each call. */
  list(): Promise<readonly InstalledModel[]>;
  /** Undefined when no such model is installed. */
  find(id: string): Promise<InstalledModel | undefined>;
}

export interface InstalledModel {
  /** The file name without `.gguf`; of a split model without `-0000N-of-0000N`. */
  readonly id: string;
  readonly path: string;
  /** All parts together. */
  readonly sizeBytes: number;
  /** Comes with the app. */
  readonly embedded: boolean;
  /** What the file says it was trained for; null when it does not say or cannot be read. */
  readonly contextLength: number | null;
}

/** Turns an installed model into what a backend loads, by the settings. */
export type SpecOf = (model: InstalledModel) => ModelSpec;

export interface ModelListing extends Omit<InstalledModel, "path"> {
  /** Taken when a request names none. */
  readonly default: boolean;
  readonly loaded: boolean;
  /** Why it is not loaded any more, because it crashed the inference process too often; else null. */
  readonly putAside: string | null;
}

/** The models that are put aside, until a person says otherwise. */
export interface ModelsAside {
  /** Why; null for a model that is not. */
  reasonOf(model: ModelSpec): string | null;
  /** The person wants it to be tried again. */
  forgive(model: string): void;
}

/** What to do when no model is named. */
export type UnnamedModel = "refuse" | "ask" | "none";

/** What the service asks of the installed models. */
export interface ModelCatalogue {
  list(): Promise<readonly ModelListing[]>;
  /**
   * The model to run on. When none is named: `refuse` takes the default, the only one or the one used last, and throws
   * ProblemError `model_required` when there is no such; `ask` takes the default or the only one, else null; `none` is
   * for what needs no model. Throws `model_not_found`.
   */
  choose(requested: string | null, unnamed: UnnamedModel): Promise<string | null>;
  /** See `ModelsAside`. */
  forgive(model: string): void;
}
