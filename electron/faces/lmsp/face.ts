import type { Settings } from "../../../shared/settings";
import type { TaskService } from "../../engine/task-service";
import type { Face } from "../face";
import { eventRoutes } from "./event-routes";
import { responseRoutes } from "./response-routes";
import { serviceRoutes } from "./service-routes";
import { taskRoutes } from "./task-routes";

/** LMSP 1.0, chapter 7: long generations as tasks, over HTTP and SSE. */
export function lmspFace(service: TaskService, settings: Settings): Face {
  return {
    name: "lmsp",
    register(app) {
      taskRoutes(app, service, settings["limits.max_output_tokens"]);
      eventRoutes(app, service);
      responseRoutes(app, service, settings["limits.max_output_tokens"]);
      serviceRoutes(app, service);
    },
  };
}
