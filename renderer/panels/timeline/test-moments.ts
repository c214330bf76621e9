import type { TaskStatus } from "../../../shared/lifecycle";
import type { Change, Moments } from "./phases";

export type Written = readonly [at: number, to: TaskStatus, attempt?: number, reason?: string];

/** Changes and samples (of one token each) as short as a test can write them. */
export function momentsOf(written: readonly Written[], tokenTimes: readonly number[]): Moments {
  const changes = written.map(
    ([at, to, attempt = 1, reason = null], index): Change => ({
      taskId: "task_1",
      from: written[index - 1]?.[1] ?? null,
      to,
      at,
      attempt,
      rev: index + 1,
      reason: reason ?? null,
    }),
  );
  const samples = tokenTimes.map((at) => ({ at, attempt: attemptAt(changes, at), tokens: 1 }));
  return { changes, samples, firstTokenAt: samples[0]?.at ?? null };
}

function attemptAt(changes: readonly Change[], at: number): number {
  return changes.findLast((change) => change.at <= at)?.attempt ?? 1;
}
