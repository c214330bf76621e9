import type { RestartPolicy } from "../../../shared/lifecycle";
import { type Kind, planTask } from "./plan-tasks";
import type { PlannedTask } from "./planned-task";
import { Random } from "./random";

/** What clients of a host notice, and what faults are timed by. */
export const momentKinds = [
  "create sent",
  "create answered",
  "event read",
  "cancel sent",
  "cancel answered",
  "question seen",
  "answer sent",
] as const;
export type MomentKind = (typeof momentKinds)[number];

/** An instant: so many milliseconds after a moment in the life of a host. */
export interface Instant {
  /** The moment of this kind with this number (from 1). */
  readonly kind: MomentKind;
  readonly count: number;
  /** Or the moment of any kind with this number, if that comes first. */
  readonly orAny: number;
  readonly delay: number;
}

export const inferenceFaults = ["SIGKILL", "SIGSEGV", "SIGSTOP"] as const;
export type InferenceFault = (typeof inferenceFaults)[number];

/** One host on the round's folder, from its start to its violent end. */
export interface LifePlan {
  /** Starts before it that are killed on their way, each after this share of the time that a start takes. */
  readonly falseStarts: readonly number[];
  readonly tasks: readonly PlannedTask[];
  readonly inferenceFault: { readonly signal: InferenceFault; readonly at: Instant } | null;
  readonly end: Instant;
  /** The end is a SIGTERM, with a SIGKILL so many milliseconds later. */
  readonly killedWhileClosing: number | null;
}

/** Lives on one folder, one after the other; a last host then brings everything to its end. */
export interface RoundPlan {
  readonly name: string;
  readonly kind: Kind;
  readonly lives: readonly LifePlan[];
}

export function planRound(seed: string, kind: Kind, policies: readonly RestartPolicy[]): RoundPlan {
  const random = new Random(seed);
  const lives = Array.from({ length: kind === "real" ? 2 : random.between(2, 4) }, (_, index) =>
    planLife(random.apart(`life ${index}`), kind, index, policies),
  );
  return { name: seed, kind, lives };
}

function planLife(random: Random, kind: Kind, life: number, policies: readonly RestartPolicy[]): LifePlan {
  const count = random.between(3, 7);
  return {
    falseStarts: random.chance(0.3) ? [random.fraction()] : [],
    tasks: Array.from({ length: count }, (_, task) => planTask(random, kind, `${life}.${task}`, policies)),
    inferenceFault: random.chance(0.2) ? { signal: random.pick(inferenceFaults), at: planInstant(random, 40) } : null,
    end: planInstant(random, 120),
    killedWhileClosing: random.chance(0.15) ? random.between(0, 60) : null,
  };
}

function planInstant(random: Random, most: number): Instant {
  const kind = random.pick(["event read", ...momentKinds] as const);
  return {
    kind,
    count: kind === "event read" ? random.between(1, most) : random.between(1, 4),
    orAny: random.between(1, most),
    delay: random.pick([0, 0, random.between(1, 20)]),
  };
}
