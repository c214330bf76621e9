import type { Progress } from "../../shared/progress";
import type { Task } from "../../shared/task";
import type { Fact } from "./fact";
import { LiveRun } from "./live-run";

/** How far each unfinished task is, gathered from the facts; forgotten when the task ends. */
export class ProgressBoard {
  readonly #runs = new Map<string, Entry>();

  readonly take = (fact: Fact): void => {
    if (fact.kind === "removed" || (fact.kind === "moved" && fact.task.outcome !== null))
      this.#runs.delete(fact.taskId);
    else if (fact.kind === "appended" && fact.events.at(-1)?.body.type !== "ended")
      this.#entry(fact.taskId).live.take(fact.events);
    else if (fact.kind === "reading") this.#entry(fact.taskId).live.read(fact);
    else if (fact.kind === "progress")
      this.#entry(fact.taskId).step = { done: fact.done, total: fact.total, note: fact.note };
  };

  of(task: Task): Progress {
    const entry = this.#runs.get(task.id);
    if (entry === undefined) return {};
    const { live, step } = entry;
    return {
      ...(live.reading === null ? {} : { reading: live.reading }),
      ...(live.tokens === 0 ? {} : { tokens: live.tokens }),
      ...(live.tokensPerSecond === null ? {} : { tokensPerSecond: live.tokensPerSecond }),
      ...(step === undefined ? {} : { step }),
    };
  }

  #entry(id: string): Entry {
    const entry = this.#runs.get(id) ?? { live: new LiveRun() };
    this.#runs.set(id, entry);
    return entry;
  }
}

interface Entry {
  readonly live: LiveRun;
  step?: NonNullable<Progress["step"]>;
}
