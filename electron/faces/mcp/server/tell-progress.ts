import type { QuestionType } from "../../../../shared/question";
import type { Task } from "../../../../shared/task";
import type { Caller } from "../../../engine/caller";
import type { Clock } from "../../../engine/clock";
import type { FaceParts } from "../face-parts";
import { CallProgress, type ProgressNote } from "../projection/call-progress";
import { type TaskView, viewOf } from "../projection/task-view";

/** Milliseconds. More often is noise; less often, and clients with a timeout that progress extends give up. */
const shortest = 500;
const longest = 5_000;

/**
 * Tells how far the task of a call is for as long as its caller waits: at news of it, but at most twice a second, and
 * at least every few seconds also while nothing happens. The result ends it, and tells what was still to be told.
 */
export function tellProgress(
  parts: FaceParts,
  caller: Caller,
  task: Task,
  answers: readonly QuestionType[],
  tell: (note: ProgressNote) => void,
): () => void {
  const { service } = parts;
  const view = () =>
    viewOf(service, caller, service.current(caller, { listed: task.listed }, task.id), answers, parts.clock.now());
  const telling = new Telling(parts.clock, view, tell);
  const leave = service.subscribe(caller, ({ taskId, kind }) => {
    if (taskId === task.id && kind !== "removed") telling.news(kind === "progress");
  });
  telling.now();
  return () => {
    leave();
    telling.close();
  };
}

/** When one call is told of its task. It always waits for something: for the time to tell news, or to tell anything. */
class Telling {
  readonly #clock: Clock;
  readonly #view: () => TaskView;
  readonly #tell: (note: ProgressNote) => void;
  readonly #progress: CallProgress;
  #toldAt = Number.NEGATIVE_INFINITY;
  /** What the job counted last, while it has yet to be told: of a task that has ended nobody knows it. */
  #counted: TaskView | undefined;
  #waitsForNews = true;
  #stop: () => void = () => undefined;

  constructor(clock: Clock, view: () => TaskView, tell: (note: ProgressNote) => void) {
    this.#clock = clock;
    this.#view = view;
    this.#tell = tell;
    this.#progress = new CallProgress(clock.now());
  }

  news(isCount: boolean): void {
    const early = this.#toldAt + shortest - this.#clock.now();
    if (early <= 0) {
      this.now();
      return;
    }
    if (isCount) this.#counted = this.#view();
    if (this.#waitsForNews) this.#wait(early, false);
  }

  now(): void {
    this.#toldAt = this.#clock.now();
    this.#say(this.#view());
    this.#wait(longest, true);
  }

  close(): void {
    this.#stop();
    if (this.#counted !== undefined) this.#say({ ...this.#counted, now: this.#clock.now() });
  }

  #say(view: TaskView): void {
    this.#counted = undefined;
    const note = this.#progress.next(view);
    if (note !== undefined) this.#tell(note);
  }

  #wait(milliseconds: number, forNews: boolean): void {
    this.#stop();
    this.#waitsForNews = forNews;
    this.#stop = this.#clock.after(milliseconds, () => this.now());
  }
}
