import type { Backend } from "./backend";
import type { NewId } from "./ids";
import type { Job } from "./job";
import type { ModelCatalogue, ModelLibrary, SpecOf } from "./models";
import type { People } from "./people";
import type { SettleParts } from "./settle";
import type { Snapshots } from "./snapshots";

/** What running a task needs. */
export interface RunParts extends SettleParts {
  readonly backend: Backend;
  readonly library: ModelLibrary;
  readonly catalogue: Pick<ModelCatalogue, "list">;
  readonly specOf: SpecOf;
  readonly jobs: readonly Job[];
  readonly people: People;
  readonly snapshots: Snapshots;
  readonly newId: NewId;
}
