import type { Clock } from "../../engine/clock";
import type { TaskService } from "../../engine/task-service";
import type { ListCursors } from "./list-cursor";
import type { McpRegistration } from "./registration";
import type { TaskResources } from "./resources/task-resources";

/** What both generations are made of. */
export interface FaceParts {
  readonly service: TaskService;
  readonly registration: McpRegistration;
  readonly cursors: ListCursors;
  readonly resources: TaskResources;
  readonly clock: Clock;
  /** Of the app, told to clients. */
  readonly version: string;
  /** Signs what clients carry for us: at least 32 random bytes, new at each start. */
  readonly key: Uint8Array;
  /** Hears what no client is told: faults of ours. */
  readonly onBug: (error: unknown) => void;
}
