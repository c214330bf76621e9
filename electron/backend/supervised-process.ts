import { ProblemError } from "../../shared/problem";
import { BackendReplacedError } from "../engine/backend";
import type { Clock } from "../engine/clock";
import { ChannelBackend } from "./channel/channel-backend";
import { exitText, type InferenceProcess, type ProcessExit } from "./inference-process";

export interface Supervision {
  readonly clock: Clock;
  /** Milliseconds that a call which is told to stop may take. */
  readonly cancelBound: number;
  readonly log: (line: string) => void;
  /** Called once; `crashed` is false for an exit that was asked for. */
  readonly onEnd: (process: SupervisedProcess, error: Error, crashed: boolean) => void;
}

/**
 * One inference process. Its end is told apart by what was asked of it before:
 * running -> closing (asked) -> ended; running -> replacing (a call did not stop) -> ended; running -> ended: a crash.
 */
export class SupervisedProcess {
  readonly backend: ChannelBackend;
  /** Ids of the models that are loaded, and how many calls load the others. */
  readonly loaded = new Set<string>();
  readonly loading = new Map<string, number>();
  /** Resolves when the process is gone and every call has heard so. */
  readonly gone: Promise<void>;
  readonly #process: InferenceProcess;
  readonly #supervision: Supervision;
  #state: "running" | "closing" | "replacing" | "ended" = "running";
  #fault: string | undefined;

  constructor(process: InferenceProcess, supervision: Supervision) {
    this.#process = process;
    this.#supervision = supervision;
    this.backend = new ChannelBackend(process.port, {
      stopping: () => supervision.clock.after(supervision.cancelBound, () => this.#replace()),
      lost: (why) => this.#lost(why),
    });
    this.gone = new Promise((resolve) => {
      process.onExit((exit) => {
        this.#end(exit);
        resolve();
      });
    });
  }

  get isRunning(): boolean {
    return this.#state === "running";
  }

  /** Asks the process to end, and ends it when it has not within `bound` milliseconds. */
  async close(bound: number): Promise<void> {
    const { clock, log } = this.#supervision;
    if (this.#state === "running") this.#state = "closing";
    const cancelKill = clock.after(bound, () => {
      log("The inference process did not end in time and was killed.");
      this.#process.kill();
    });
    this.backend.close().catch((error) => log(`The inference process did not close cleanly: ${error}`));
    await this.gone;
    cancelKill();
  }

  #replace(): void {
    if (this.#state !== "running") return;
    this.#state = "replacing";
    this.#supervision.log("A task did not stop in time: the inference process is replaced.");
    this.#process.kill();
  }

  /** Nothing can be asked of it any more, so it must not go on. */
  #lost(why: string): void {
    if (this.#state !== "running") return;
    this.#fault ??= why;
    this.#process.kill();
  }

  #end(exit: ProcessExit): void {
    const error = this.#errorOf(exit);
    const crashed = this.#state === "running";
    this.#state = "ended";
    if (crashed) this.#supervision.log(error.message);
    this.#supervision.onEnd(this, error, crashed);
    this.backend.fail(error);
  }

  #errorOf(exit: ProcessExit): Error {
    if (this.#state === "closing") return new Error("The backend is closed");
    if (this.#state === "replacing") return new BackendReplacedError();
    const why = this.#fault === undefined ? `${exitText(exit)}.` : `${exitText(exit)}. ${this.#fault}`;
    return new ProblemError("backend_crashed", `The inference process ended unexpectedly: ${why}`);
  }
}
