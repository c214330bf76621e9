import { RawClient } from "../mcp/raw-client";

/** What a client may have open at once; all of it must be free once everything that it began has ended. */
export interface Places {
  readonly streams: number;
  readonly waitingResults: number;
}

/** Takes every place at once, and leaves. What is refused is a fault, in words. Its sessions are the caller's to end. */
export async function takePlaces(
  { url, token }: { readonly url: string; readonly token: string },
  { streams, waitingResults }: Places,
): Promise<{ readonly faults: readonly string[]; readonly sessions: readonly string[] }> {
  const capabilities = { elicitation: {} };
  const connect = () => RawClient.connect({ url, token, capabilities });
  const clients = await Promise.all(Array.from({ length: streams }, connect));
  const leave = new AbortController();
  try {
    const opened = await Promise.allSettled(clients.map((client) => client.listen(leave.signal)));
    const refused = opened.filter(({ status }) => status === "rejected").length;
    const waiting = await waitForOne(clients, waitingResults);
    return {
      faults: [
        ...(refused > 0 ? [`${refused} of ${streams} streams are still taken`] : []),
        ...(waiting < waitingResults ? [`only ${waiting} of ${waitingResults} calls may wait for a result`] : []),
      ],
      sessions: clients.flatMap(({ session }) => session ?? []),
    };
  } finally {
    leave.abort();
    await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
  }
}

/** How many calls could wait for the result of a task that asks something. */
async function waitForOne(clients: readonly RawClient[], count: number): Promise<number> {
  const [first] = clients;
  if (first === undefined) return 0;
  const taskId = await first.start("generate", { prompt: "Hi" });
  const waiting = Array.from({ length: count }, (_, index) =>
    (clients[index % clients.length] ?? first).request("tasks/result", { taskId }),
  );
  await first.until(taskId, "input_required");
  await first.cancel(taskId);
  const answers = await Promise.all(waiting);
  return answers.filter((answer) => "error" in answer && answer.error.message === "Task was cancelled").length;
}
