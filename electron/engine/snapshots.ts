/** The files in which the backend keeps the state of contexts, so that a run that comes back need not read again. */
export interface Snapshots {
  /** Where the state of this task's text goes; null keeps none. */
  fileOf(taskId: string): string | null;
  /** Forgets the task's state, if there is any. */
  drop(taskId: string): void;
  /** Forgets all but those of these tasks. */
  keepOnly(taskIds: ReadonlySet<string>): void;
}
