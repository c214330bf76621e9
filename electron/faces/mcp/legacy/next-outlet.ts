import type { Task } from "../../../../shared/task";
import type { Clock } from "../../../engine/clock";
import type { Outlet } from "./open-session";
import type { Streams } from "./streams";
import { until } from "./until";

/** Milliseconds. A client that calls `tasks/result` when it sees `input_required` has done so by then; some never do. */
const patience = 1_500;

/**
 * Where a task's question goes next: at once on a stream that waits for the task; after a while without one on a GET
 * stream. A plain call has only its own. Rejects with the reason of `over`.
 */
export function nextOutlet(
  streams: Streams,
  { id, listed }: Task,
  clock: Clock,
  over: AbortSignal,
  wanted: (outlet: Outlet) => boolean,
): Promise<Outlet> {
  const waitedFor = clock.now() + patience;
  const find = () => {
    const waiting = streams.waitingFor(id, wanted);
    if (waiting !== undefined || !listed || clock.now() < waitedFor) return waiting;
    return streams.standalone((outlet) => outlet.session.hasTasks && wanted(outlet));
  };
  return until(over, (resolve) => {
    const look = () => {
      const found = find();
      if (found !== undefined) resolve(found);
    };
    const stops = [streams.onChange(look), clock.after(patience, look)];
    look();
    return () => {
      for (const stop of stops) stop();
    };
  });
}
