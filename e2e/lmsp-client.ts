/** A small LMSP client for tests, on nothing but `fetch`, so that what it sees is what any client would see. */
export class LmspClient {
  readonly base: string;
  readonly #token: string;

  constructor(endpoint: { readonly lmsp: string; readonly token: string }, token = endpoint.token) {
    this.base = endpoint.lmsp;
    this.#token = token;
  }

  request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has("authorization")) headers.set("authorization", `Bearer ${this.#token}`);
    return fetch(`${this.base}${path}`, { ...init, headers });
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const init = { method: "POST", headers: { "content-type": "application/json", ...headers } };
    return this.request(path, { ...init, body: JSON.stringify(body) });
  }

  /** Creates a task from a prompt, or from a whole `input`; expects 202. */
  async create(input: string | object, envelope: object = {}, headers: Record<string, string> = {}): Promise<LmspTask> {
    const body = { type: "response", input: typeof input === "string" ? { input } : input, ...envelope };
    return this.#expect(202, await this.post("/tasks", body, headers));
  }

  async task(id: string): Promise<LmspTask> {
    return this.#expect(200, await this.request(`/tasks/${id}`));
  }

  async cancel(id: string): Promise<LmspTask> {
    return this.#expect(200, await this.request(`/tasks/${id}/cancel`, { method: "POST" }));
  }

  /** Polls until the task has one of these statuses. */
  async until(id: string, ...statuses: string[]): Promise<LmspTask> {
    for (let tries = 0; tries < 6_000; tries += 1) {
      const task = await this.task(id);
      if (statuses.includes(task.status)) return task;
      if (["succeeded", "failed", "cancelled"].includes(task.status))
        throw new Error(`The task is ${task.status}: ${JSON.stringify(task.error)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`The task did not become ${statuses.join(" or ")}`);
  }

  /** Opens the event stream; `after` by query, or by header. */
  events(id: string, after?: number, by: "query" | "header" = "query", signal?: AbortSignal): Promise<Response> {
    const query = after !== undefined && by === "query" ? `?starting_after=${after}` : "";
    const headers: Record<string, string> = { accept: "text/event-stream" };
    if (after !== undefined && by === "header") headers["last-event-id"] = String(after);
    return this.request(`/tasks/${id}/events${query}`, { headers, ...(signal ? { signal } : {}) });
  }

  /** All frames until the server closes the stream. */
  async allEvents(id: string, after?: number, by?: "query" | "header"): Promise<Frame[]> {
    const all: Frame[] = [];
    for await (const frame of frames(await this.events(id, after, by))) all.push(frame);
    return all;
  }

  async #expect(status: number, response: Response): Promise<LmspTask> {
    const text = await response.text();
    if (response.status !== status) throw new Error(`Expected ${status}, got ${response.status}: ${text}`);
    return JSON.parse(text);
  }
}

export interface LmspTask {
  readonly id: string;
  readonly status: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly response_id: string;
  readonly events_url: string;
  readonly on_restart: string;
  readonly response: LmspResponse | null;
  readonly error: { readonly code: string; readonly status: number; readonly detail: string } | null;
}

export interface LmspResponse {
  readonly status: string;
  readonly model: string;
  readonly output: readonly { readonly type: string; readonly content: readonly { readonly text: string }[] }[];
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number; readonly total_tokens: number };
  readonly incomplete_details: { readonly reason: string } | null;
}

/** The status of a refusal and the code of its problem, which must be of the right media type. */
export async function refusal(response: Response): Promise<[number, string]> {
  const type = response.headers.get("content-type");
  if (!type?.startsWith("application/problem+json")) throw new Error(`Not a problem: ${response.status} ${type}`);
  return [response.status, ((await response.json()) as { code: string }).code];
}

/** One SSE frame, with its bytes as they came. */
export interface Frame {
  readonly id: number;
  readonly event: string;
  readonly raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: what an event holds is what each test looks at.
  readonly data: any;
}

/** The event frames of a stream, without its keep-alive comments. Strict: every frame has id, event and JSON data. */
export async function* frames(response: Response): AsyncGenerator<Frame, void> {
  if (response.status !== 200 || response.body === null)
    throw new Error(`No stream: ${response.status} ${await response.text()}`);
  let rest = "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const chunk of response.body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = parts.pop() ?? "";
    for (const raw of parts) if (!raw.startsWith(":")) yield frameOf(raw);
  }
  if (rest !== "") throw new Error(`The stream ended inside a frame: ${JSON.stringify(rest)}`);
}

function frameOf(raw: string): Frame {
  const match = /^id: (\d+)\nevent: (\S+)\ndata: (.*)$/.exec(raw);
  if (match === null) throw new Error(`Not a frame: ${JSON.stringify(raw)}`);
  return { id: Number(match[1]), event: String(match[2]), raw, data: JSON.parse(String(match[3])) };
}

/** The text that the deltas of a stream join to. */
export function joinedText(events: readonly Frame[]): string {
  return events.flatMap(({ event, data }) => (event === "response.output_text.delta" ? [data.delta] : [])).join("");
}

export function outputText(task: LmspTask): string {
  const messages = task.response?.output.filter(({ type }) => type === "message") ?? [];
  return messages.flatMap(({ content }) => content.map(({ text }) => text)).join("");
}

export const finalEvents = ["response.completed", "response.incomplete", "response.failed", "response.cancelled"];
