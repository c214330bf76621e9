import type { Stored } from "../readings/stored";
import type { Recorded } from "../record/recorder";
import { acknowledged } from "./evidence";
import { tasksKept } from "./tasks-kept";

/** What a crash left, before anybody mends it: all that was told is committed. */
export function checkLeft(recorded: Recorded, stored: Stored): readonly string[] {
  const faults = [
    ...stored.damage.map((found) => `the database is damaged: ${found}`),
    ...tasksKept({ recorded, stored }),
    ...acknowledged({ recorded, stored }).flatMap(({ seen: { id }, row }) =>
      row === undefined ? [] : untold(recorded, id, row),
    ),
  ];
  return faults.map((fault) => `right after a kill: ${fault}`);
}

function untold({ readings }: Recorded, id: string, row: Stored["tasks"][number]): string[] {
  const stored = new Set(row.events.map(({ seq }) => seq));
  const read = readings.filter(({ taskId }) => taskId === id).flatMap(({ frames }) => frames.map((frame) => frame.id));
  // A retry drops what it supersedes, but never gives a number again.
  const lost = read.filter((seq) => (row.onRestart === "retry" ? seq > row.lastSeq : !stored.has(seq)));
  return lost.length === 0 ? [] : [`events ${[...new Set(lost)]} of ${id} were read and are not stored`];
}
