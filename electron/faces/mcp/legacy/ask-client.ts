import type { ClientCapabilities } from "@modelcontextprotocol/server";
import type { Clock } from "../../../engine/clock";
import type { ClientQuestion } from "./client-question";
import { ClientTask, createdTask } from "./client-task";
import type { Streams } from "./streams";

/**
 * The answer of the client, who may run the question as a task of its own: it does when it declared that it can, and a
 * client that answers at once all the same is welcome. Rejects with the client's own ProtocolError, or another error
 * when no answer can come any more.
 */
export async function askClient(question: ClientQuestion, streams: Streams, clock: Clock): Promise<unknown> {
  const { request, outlet, signal, lost } = question;
  const asTask = runsAsTask(outlet.session.capabilities, request.method);
  const params = asTask ? { ...request.params, task: {} } : request.params;
  outlet.closed.addEventListener("abort", lost, { once: true });
  if (outlet.closed.aborted) lost();
  const answer = await outlet
    .ask({ method: request.method, params }, signal)
    .finally(() => outlet.closed.removeEventListener("abort", lost));
  const task = asTask ? createdTask(answer) : undefined;
  return task === undefined ? answer : await new ClientTask(question, streams, clock).result(task);
}

/** 2025-11-25: a request becomes a task only where its receiver declared so. */
function runsAsTask({ tasks }: ClientCapabilities, method: string): boolean {
  if (method === "elicitation/create") return tasks?.requests?.elicitation?.create !== undefined;
  return method === "sampling/createMessage" && tasks?.requests?.sampling?.createMessage !== undefined;
}
