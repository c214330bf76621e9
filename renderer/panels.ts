import type { ComponentType } from "react";
import { TasksPanel } from "./panels/tasks/tasks-panel";
import type { IconName } from "./ui/icon";

export interface Panel {
  readonly id: string;
  readonly name: string;
  readonly icon: IconName;
  readonly View: ComponentType;
}

/** The places of the rail, in order. A new panel is a folder under `panels/` and a line here. */
export const panels: readonly [Panel, ...Panel[]] = [{ id: "tasks", name: "Tasks", icon: "tasks", View: TasksPanel }];
