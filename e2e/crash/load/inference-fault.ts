import { childrenOf } from "../../processes";
import { clientNames } from "../plan/planned-task";
import type { InferenceFault, LifePlan } from "../plan/round-plan";
import type { Stage } from "./stage";

/** Does to the inference process what the plan says, at its moment. True when there was one to do it to. */
export async function inferenceFault(stage: Stage, { inferenceFault: fault }: LifePlan): Promise<boolean> {
  const { recorder, ending, host } = stage;
  if (fault === null) return false;
  if (!(await recorder.instant(fault.at, ending))) return false;
  const processes = childrenOf(host.endpoint.pid);
  for (const pid of processes) signalled(pid, fault.signal);
  if (processes.length > 0 && fault.signal === "SIGSTOP") await unhang(stage, processes);
  return processes.length > 0;
}

/** A task that hangs is cancelled: after its bound the host replaces the process. With none to cancel it goes on. */
async function unhang(stage: Stage, processes: readonly number[]): Promise<void> {
  const running = await stage.tried("the list of what hangs", () => runningTask(stage));
  if (running === undefined || running === null) for (const pid of processes) signalled(pid, "SIGCONT");
}

async function runningTask(stage: Stage): Promise<string | null> {
  for (const client of clientNames) {
    const lmsp = stage.lmsp(client);
    const list = await (await lmsp.request("/tasks?status=running&limit=100")).json();
    const { data } = list as { data: readonly { id: string }[] };
    const [hanging] = data;
    if (hanging === undefined) continue;
    stage.recorder.told.push({ what: "cancel sent", taskId: hanging.id });
    // It may have ended just before the process was stopped.
    const { status } = await lmsp.request(`/tasks/${hanging.id}/cancel`, { method: "POST" });
    if (status !== 200) continue;
    stage.recorder.told.push({ what: "cancelled", taskId: hanging.id });
    return hanging.id;
  }
  return null;
}

function signalled(pid: number, signal: InferenceFault | "SIGCONT"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself, or was replaced.
  }
}
