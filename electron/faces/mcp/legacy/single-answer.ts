/** Requests that are answered at once: a client that asks for the state of a task wants to poll, not to listen. */
const methods: ReadonlySet<unknown> = new Set(["tasks/get", "tasks/list", "tasks/cancel", "tools/list", "ping"]);

export function answersAtOnce(body: unknown): boolean {
  return typeof body === "object" && body !== null && "method" in body && methods.has(body.method);
}

/**
 * 2025-11-25, tasks: a server should not answer `tasks/get` with an event stream. The transport of the SDK makes one
 * stream per call and ends it after the answer; this is that one message as JSON.
 */
export async function singleAnswer(response: Response): Promise<Response> {
  if (response.headers.get("content-type") !== "text/event-stream") return response;
  const [data] = /^data: (.*)$/m.exec(await response.text())?.slice(1) ?? [];
  const headers = new Headers(response.headers);
  headers.set("content-type", "application/json");
  for (const name of ["connection", "x-accel-buffering"]) headers.delete(name);
  return new Response(data ?? null, { status: response.status, headers });
}
