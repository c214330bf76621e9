import { ProblemError } from "../../shared/problem";
import { BackendReplacedError, type ModelSpec } from "../engine/backend";
import type { Clock } from "../engine/clock";
import { afterAwake } from "./awake";
import { ChannelBackend } from "./channel/channel-backend";
import { crashText } from "./crash-text";
import { Heartbeat } from "./heartbeat";
import type { InferenceProcess, ProcessExit } from "./inference-process";

export interface Supervision {
  readonly clock: Clock;
  /** Milliseconds that a call which is told to stop may take. */
  readonly cancelBound: number;
  /** Milliseconds that the process may answer nothing. */
  readonly hangBound: number;
  /** How many processes the system has ended for want of memory so far. */
  readonly systemKills: () => number;
  readonly log: (line: string) => void;
  /** Called once, when the system has started it. */
  readonly onStart: (pid: number) => void;
  /** Called once; `crashed` is false for an exit that was asked for. */
  readonly onEnd: (process: SupervisedProcess, error: Error, crashed: boolean) => void;
}

/** A process that has closed its channel is about to end, and how it does says more than we could. */
const farewell = 1_000;

/**
 * One inference process. Its end is told apart by what was asked of it before:
 * running -> closing (asked) -> ended; running -> replacing (a call did not stop) -> ended; running -> ended: a crash,
 * also when we ended it because it hung or spoke another language.
 */
export class SupervisedProcess {
  readonly backend: ChannelBackend;
  /** Ids of the models that are loaded. */
  readonly loaded = new Set<string>();
  /** By call, the models that are being loaded. */
  readonly loading = new Map<symbol, ModelSpec>();
  /** Resolves when the process is gone and every call has heard so. */
  readonly gone: Promise<void>;
  readonly #process: InferenceProcess;
  readonly #supervision: Supervision;
  readonly #heartbeat: Heartbeat;
  readonly #systemKillsBefore: number;
  #state: "running" | "closing" | "replacing" | "ended" = "running";
  #fault: string | undefined;
  #cancelFarewell: () => void = () => undefined;

  constructor(process: InferenceProcess, supervision: Supervision) {
    const { clock, cancelBound, hangBound } = supervision;
    this.#process = process;
    this.#supervision = supervision;
    this.#systemKillsBefore = supervision.systemKills();
    this.backend = new ChannelBackend(process.port, {
      stopping: () => afterAwake(clock, cancelBound, () => this.#replace()),
      heard: () => this.#heartbeat.heard(),
      closed: (why) => {
        this.#cancelFarewell = clock.after(farewell, () => this.#condemn(why));
      },
      garbled: (why) => this.#condemn(why),
    });
    this.#heartbeat = new Heartbeat({
      clock,
      bound: hangBound,
      ping: () => this.backend.ping(),
      hung: () => this.#condemn(`It stopped answering for ${hangBound / 1_000} seconds.`),
    });
    process.onStart(supervision.onStart);
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
  #condemn(fault: string): void {
    if (this.#state !== "running") return;
    this.#fault ??= fault;
    this.#process.kill();
  }

  #end(exit: ProcessExit): void {
    const error = this.#errorOf(exit);
    const crashed = this.#state === "running";
    this.#state = "ended";
    this.#heartbeat.stop();
    this.#cancelFarewell();
    if (crashed) this.#supervision.log(error.message);
    this.#supervision.onEnd(this, error, crashed);
    this.backend.fail(error);
  }

  #errorOf(exit: ProcessExit): Error {
    if (this.#state === "closing") return new Error("The backend is closed");
    if (this.#state === "replacing") return new BackendReplacedError();
    const systemKills = this.#supervision.systemKills() - this.#systemKillsBefore;
    return new ProblemError("backend_crashed", crashText({ exit, fault: this.#fault, systemKills }));
  }
}
