/** How far a task is. Told while it lives, never stored; everything in it is absent until it is known. */
export interface Progress {
  /** Place among the waiting tasks, 1 is next; only while it is queued. */
  readonly position?: number;
  /** Prompt tokens read of the prompt that is read now. */
  readonly reading?: { readonly read: number; readonly total: number };
  /** Tokens generated in this attempt, and how many a second lately. */
  readonly tokens?: number;
  readonly tokensPerSecond?: number;
  /** What the job itself counts, such as its parts. */
  readonly step?: { readonly done: number; readonly total: number; readonly note: string };
}
