import type { Loose } from "./hostile-json";

/** A valid call of an API over HTTP, before anything is done to it. */
export interface ApiCall {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Absent for a call without one. */
  readonly body?: Loose;
}
