import type { Settings } from "../../shared/settings";
import type { TaskService } from "../engine/task-service";
import type { Face } from "./face";
import { lmspFace } from "./lmsp/face";

/** Every face of this host. A new one is a folder and a line. */
export function faces(service: TaskService, settings: Settings): readonly Face[] {
  return [lmspFace(service, settings)];
}
