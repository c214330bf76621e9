import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type HostOptions, HostProcess, killedStart } from "../host";
import { commandOf, isGone, processesWith } from "../processes";
import { checkRound } from "./checks/checks";
import { checkLeft } from "./checks/left";
import { finalReading } from "./load/final-reading";
import { inferenceFault } from "./load/inference-fault";
import { play } from "./load/play";
import { recount } from "./load/recount";
import { settle } from "./load/settle";
import { Stage } from "./load/stage";
import type { PlannedTask } from "./plan/planned-task";
import { clientNames } from "./plan/planned-task";
import type { Instant, LifePlan, RoundPlan } from "./plan/round-plan";
import { filesIn } from "./readings/files";
import { readLeft, readStored } from "./readings/stored";
import { Recorder } from "./record/recorder";

const marker = "SIMMER_CRASH_ROUND";
/** Long enough for a busy machine. */
const usualStart = 600;

export interface RoundResult {
  readonly kills: number;
  readonly tasks: number;
  readonly violations: readonly string[];
}

/** One round on a folder of its own. The folder is kept when something was violated. */
export class Round {
  readonly #plan: RoundPlan;
  readonly #options: HostOptions & { readonly dataDir: string };
  readonly #recorder = new Recorder();
  readonly #violations: string[] = [];
  readonly #played: PlannedTask[] = [];
  #kills = 0;
  #startTime = usualStart;

  constructor(plan: RoundPlan, options: Pick<HostOptions, "program" | "modelsDir">) {
    this.#plan = plan;
    this.#options = {
      ...options,
      dataDir: mkdtempSync(join(tmpdir(), "simmer-crash-")),
      clients: clientNames,
      set: { "engine.cancel_bound": 300 },
      env: { [marker]: plan.name },
    };
  }

  async run(): Promise<RoundResult> {
    const { dataDir } = this.#options;
    try {
      for (const life of this.#plan.lives) await this.#live(life);
      await this.#bringToEnd();
    } catch (error) {
      this.#violations.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    await this.#leaveNothing();
    if (this.#violations.length === 0) rmSync(dataDir, { recursive: true, force: true });
    else this.#violations.push(`the folder is kept: ${dataDir}`);
    return { kills: this.#kills, tasks: this.#recorder.tasks.length, violations: this.#violations };
  }

  async #live(life: LifePlan): Promise<void> {
    for (const share of life.falseStarts) {
      await killedStart(this.#options, share * this.#startTime);
      this.#kills += 1;
    }
    const ending = new AbortController();
    await using host = await this.#start();
    const stage = new Stage({ host, recorder: this.#recorder, ending: ending.signal, isLast: false });
    await recount(stage);
    const load = this.#load(stage, life.tasks);
    const fault = inferenceFault(stage, life);
    await this.#untilEnd(life.end, load);
    ending.abort();
    await endOf(host, life);
    this.#kills += 1;
    if (await fault) this.#kills += 1;
    await load;
    await stage.close();
    this.#violations.push(...checkLeft(this.#recorder, readLeft(this.#options.dataDir)));
  }

  async #start(): Promise<HostProcess> {
    const startedAt = performance.now();
    const host = await HostProcess.start(this.#options);
    this.#startTime = performance.now() - startedAt;
    return host;
  }

  /** Clients go on with what they know, and begin what is new. */
  async #load(stage: Stage, fresh: readonly PlannedTask[]): Promise<void> {
    const earlier = [...this.#played];
    this.#played.push(...fresh);
    await Promise.all([
      ...earlier.map((plan) => play(stage, plan, true)),
      ...fresh.map((plan) => play(stage, plan, false)),
    ]);
  }

  /** The planned instant, or the moment when nothing more happens. */
  async #untilEnd(instant: Instant, load: Promise<void>): Promise<void> {
    const over = new AbortController();
    await Promise.race([load, this.#recorder.instant(instant, over.signal)]);
    over.abort();
    if (instant.delay > 0) await sleep(instant.delay);
  }

  /** A last host without faults: everything ends, is read once more, and the host stops in order. */
  async #bringToEnd(): Promise<void> {
    const { dataDir } = this.#options;
    const ending = new AbortController();
    await using host = await this.#start();
    const stage = new Stage({ host, recorder: this.#recorder, ending: ending.signal, isLast: true });
    await recount(stage);
    const open = await settle(stage, this.#load(stage, []), dataDir);
    // What does not end would be read for ever.
    if (open.length > 0) throw new Error(open.join("\n"));
    const final = await finalReading(stage);
    ending.abort();
    const exitCode = await host.stop();
    await stage.close();
    if (exitCode !== 0) this.#violations.push(`the stop in order ended with ${exitCode}: ${host.log}`);
    const evidence = { recorded: this.#recorder, stored: readStored(dataDir), final, files: filesIn(dataDir) };
    this.#violations.push(...checkRound(evidence));
  }

  async #leaveNothing(): Promise<void> {
    for (const pid of processesWith(marker, this.#plan.name))
      await isGone(pid).catch((error: Error) => {
        this.#violations.push(`${error.message}: ${commandOf(pid)}`);
        process.kill(pid, "SIGKILL");
      });
  }
}

async function endOf(host: HostProcess, { killedWhileClosing }: LifePlan): Promise<void> {
  if (killedWhileClosing === null) return await host.kill();
  const stopped = host.stop();
  await Promise.race([stopped, sleep(killedWhileClosing)]);
  await host.kill();
  await stopped;
}
