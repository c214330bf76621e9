import fc from "fast-check";
import { isTerminal, moves, type TaskStatus } from "../../../shared/lifecycle";
import type { Change, Moments } from "./phases";

type Written = readonly [at: number, to: TaskStatus, attempt?: number, reason?: string];

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

const step = fc.record({
  choice: fc.nat(20),
  wait: fc.oneof(fc.nat(50), fc.nat(10_000), fc.nat(30_000_000)),
  isNewAttempt: fc.boolean(),
  tokens: fc.array(fc.nat(1_000), { maxLength: 5 }),
});

/** Any history that the engine may record, with tokens wherever it runs. */
export const momentsArbitrary: fc.Arbitrary<Moments> = fc.array(step, { maxLength: 30 }).map((steps) => {
  const written: Written[] = [[0, "queued"]];
  const times: number[] = [];
  for (const { choice, wait, isNewAttempt, tokens } of steps) {
    const [at, status, attempt = 1] = written.at(-1) ?? [0, "queued" as TaskStatus];
    if (isTerminal(status)) break;
    if (status === "running")
      times.push(...tokens.map((part) => at + Math.floor((wait * part) / 1_000)).sort((a, b) => a - b));
    const next = moves[status][choice % moves[status].length] ?? "failed";
    if (isNewAttempt && status === "running") {
      const isInPlace = choice % 2 === 0;
      written.push([
        at + wait,
        isInPlace ? "running" : "queued",
        attempt + 1,
        isInPlace ? "inference process lost" : "service restarted",
      ]);
    } else written.push([at + wait, next, attempt]);
  }
  return momentsOf(written, times);
});
