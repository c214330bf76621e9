import type { Json } from "../../../shared/json";
import { type Frame, finalEvents } from "../../lmsp-client";
import type { PlannedTask } from "../plan/planned-task";
import type { Instant, MomentKind } from "../plan/round-plan";

/** A task whose create was answered. */
export interface SeenTask {
  readonly plan: PlannedTask;
  readonly id: string;
  /** Of an LMSP task: what its create answered and what no later answer may contradict. */
  readonly created: { readonly response_id: string; readonly created_at: number } | null;
}

/** What one connection to a task's stream brought. */
export interface Reading {
  readonly taskId: string;
  readonly reader: string;
  /** The number that it was resumed behind. */
  readonly after: number | null;
  readonly frames: Frame[];
  /** `closed`: by the host, in order; `left`: by the reader; `cut`: with the host, or while it was stopping. */
  end: "open" | "closed" | "left" | "cut";
}

/** What clients were told, apart from streams. */
export type Told =
  | { readonly what: "status"; readonly taskId: string; readonly status: string }
  | { readonly what: "cancel sent"; readonly taskId: string }
  /** The cancel was taken. */
  | { readonly what: "cancelled"; readonly taskId: string }
  /** The cancel was refused: the task had ended. */
  | { readonly what: "too late"; readonly taskId: string }
  /** The agent's answer was taken. */
  | { readonly what: "answered"; readonly taskId: string; readonly content: Json }
  /** The structured content of an MCP task. */
  | { readonly what: "result"; readonly taskId: string; readonly data: Json }
  | { readonly what: "plain answer"; readonly responseId: string; readonly text: string };

/** All that the clients of a round have seen, over all of its hosts. */
export interface Recorded {
  readonly tasks: readonly SeenTask[];
  readonly readings: readonly Reading[];
  readonly told: readonly Told[];
  /** What no client should have met: a refusal without a reason, a stream that broke while its host lived. */
  readonly broken: readonly string[];
}

export class Recorder implements Recorded {
  readonly tasks: SeenTask[] = [];
  readonly readings: Reading[] = [];
  readonly told: Told[] = [];
  readonly broken: string[] = [];
  readonly #counts = new Map<MomentKind | "any", number>();
  readonly #watchers = new Set<() => void>();

  happened(kind: MomentKind): void {
    for (const counted of [kind, "any"] as const) this.#counts.set(counted, this.count(counted) + 1);
    for (const look of this.#watchers) look();
  }

  count(kind: MomentKind | "any"): number {
    return this.#counts.get(kind) ?? 0;
  }

  /** True as soon as it is so; false when the signal aborts before. */
  until(isSo: () => boolean, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (result: boolean) => {
        this.#watchers.delete(look);
        signal.removeEventListener("abort", stop);
        resolve(result);
      };
      const look = () => {
        if (isSo()) end(true);
      };
      const stop = () => end(false);
      this.#watchers.add(look);
      signal.addEventListener("abort", stop);
      if (signal.aborted) stop();
      else look();
    });
  }

  /** True at the instant, counted from now; false when the signal aborts before. */
  instant({ kind, count, orAny }: Instant, signal: AbortSignal): Promise<boolean> {
    const [ofKind, ofAny] = [this.count(kind) + count, this.count("any") + orAny];
    return this.until(() => this.count(kind) >= ofKind || this.count("any") >= ofAny, signal);
  }

  taskOf(plan: PlannedTask): SeenTask | undefined {
    return this.tasks.find((task) => task.plan === plan);
  }

  /** A cancel of it was answered, whatever the answer. */
  isCancelled({ id }: SeenTask): boolean {
    return this.told.some((told) => (told.what === "cancelled" || told.what === "too late") && told.taskId === id);
  }

  open(taskId: string, reader: string): Reading {
    const after = this.#lastRead(taskId, reader);
    const reading: Reading = { taskId, reader, after, frames: [], end: "open" };
    this.readings.push(reading);
    return reading;
  }

  connections(taskId: string, reader: string): number {
    return this.readings.filter((one) => one.taskId === taskId && one.reader === reader).length;
  }

  hasReadEnd(taskId: string, reader: string): boolean {
    const own = this.readings.filter((one) => one.taskId === taskId && one.reader === reader);
    return own.some(({ frames }) => finalEvents.includes(frames.at(-1)?.event ?? ""));
  }

  #lastRead(taskId: string, reader: string): number | null {
    const own = this.readings.filter((one) => one.taskId === taskId && one.reader === reader);
    return own.findLast(({ frames }) => frames.length > 0)?.frames.at(-1)?.id ?? null;
  }
}
