import type { Settings } from "../../shared/settings";
import type { Clock } from "../engine/clock";
import type { TaskService } from "../engine/task-service";
import type { Face } from "./face";
import { lmspFace } from "./lmsp/face";
import { mcpFace } from "./mcp/face";
import type { McpRegistration } from "./mcp/registration";

export interface FacesParts {
  readonly service: TaskService;
  readonly settings: Settings;
  /** What agents can call. */
  readonly registration: McpRegistration;
  readonly clock: Clock;
  readonly version: string;
}

/** Every face of this host. A new one is a folder and a line. */
export function faces({ service, settings, ...mcp }: FacesParts): readonly Face[] {
  return [lmspFace(service, settings), mcpFace({ service, ...mcp })];
}
