import type { Task } from "../../shared/task";

type Waiting = Pick<Task, "id" | "client" | "model" | "row">;

/** The order of waiting tasks: fair turns between clients, first in first out within one (of those that may start). */
export class Turns<T extends Waiting> {
  /** Each client's tasks by model, oldest first. A client that had its turn goes to the end of the map. */
  readonly #clients = new Map<string, Map<string | null, T[]>>();

  add(task: T): void {
    const lanes = this.#clients.get(task.client) ?? new Map<string | null, T[]>();
    this.#clients.set(task.client, lanes);
    const lane = lanes.get(task.model);
    if (lane === undefined) lanes.set(task.model, [task]);
    else lane.push(task);
  }

  remove(task: Waiting): void {
    const lanes = this.#clients.get(task.client);
    const lane = lanes?.get(task.model);
    const index = lane?.findIndex(({ id }) => id === task.id) ?? -1;
    if (lanes === undefined || lane === undefined || index < 0) return;
    lane.splice(index, 1);
    if (lane.length === 0) lanes.delete(task.model);
    if (lanes.size === 0) this.#clients.delete(task.client);
  }

  /** Takes the next task whose model `mayStart`. */
  take(mayStart: (model: string | null) => boolean): T | undefined {
    for (const [client, lanes] of this.#clients) {
      const heads = [...lanes.values()].flatMap((lane) => lane.slice(0, 1)).sort((a, b) => a.row - b.row);
      const task = heads.find(({ model }) => mayStart(model));
      if (task === undefined) continue;
      this.remove(task);
      if (this.#clients.delete(client) && lanes.size > 0) this.#clients.set(client, lanes);
      return task;
    }
    return undefined;
  }
}
