import type { FinalTask } from "../load/final-reading";
import type { Stored, StoredTask } from "../readings/stored";
import type { Recorded, SeenTask, Told } from "../record/recorder";

/** All that is known of a round: what clients saw, what is stored, what a last look over the interface showed. */
export interface Evidence {
  readonly recorded: Recorded;
  readonly stored: Stored;
  readonly final: ReadonlyMap<string, FinalTask>;
  /** In the data folder, after a stop in order. */
  readonly files: readonly string[];
}

/** Says in sentences what should not be; nothing when all is well. */
export type Check = (evidence: Evidence) => readonly string[];

/** Each acknowledged task with its row, as far as there is one. */
export function acknowledged({ recorded, stored }: Pick<Evidence, "recorded" | "stored">): {
  readonly seen: SeenTask;
  readonly row: StoredTask | undefined;
}[] {
  const rows = new Map(stored.tasks.map((task) => [task.id, task]));
  return recorded.tasks.map((seen) => ({ seen, row: rows.get(seen.id) }));
}

export function wasTold({ told }: Recorded, taskId: string, what: Told["what"]): boolean {
  return told.some((one) => one.what === what && "taskId" in one && one.taskId === taskId);
}
