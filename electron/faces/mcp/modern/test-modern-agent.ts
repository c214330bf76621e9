import { type Message, TestStream } from "../legacy/test-streams";

export type Capabilities = Readonly<Record<string, unknown>>;

export const withTasks: Capabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
export const withForms: Capabilities = { elicitation: {} };

const version = "2026-07-28";

export interface Sent {
  readonly params?: object;
  readonly meta?: object;
  readonly headers?: Record<string, string>;
  readonly capabilities?: Capabilities;
  readonly id?: string | number;
}

/** A client of 2026-07-28 that says exactly what a test tells it to, over real HTTP. */
export class ModernAgent {
  readonly url: string;
  readonly #token: string;
  readonly #capabilities: Capabilities;
  #ids = 0;

  constructor(url: string, token: string, capabilities: Capabilities) {
    this.url = url;
    this.#token = token;
    this.#capabilities = capabilities;
  }

  /** Sends a request; its headers fit it unless `sent` says otherwise. */
  post(method: string, sent: Sent = {}, signal?: AbortSignal): Promise<Response> {
    this.#ids += 1;
    const named = sent.params as { name?: string; uri?: string; taskId?: string } | undefined;
    const name = named?.taskId ?? named?.name ?? named?.uri;
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientCapabilities": sent.capabilities ?? this.#capabilities,
      ...sent.meta,
    };
    return fetch(this.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${this.#token}`,
        "mcp-protocol-version": version,
        "mcp-method": method,
        ...(name === undefined ? {} : { "mcp-name": name }),
        ...sent.headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: sent.id ?? this.#ids, method, params: { ...sent.params, _meta } }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** The stream that answers, also when that is plain JSON. */
  async open(method: string, sent: Sent = {}): Promise<TestStream> {
    const abort = new AbortController();
    return new TestStream(await this.post(method, sent, abort.signal), abort);
  }

  /** The message that answers. */
  async ask(method: string, params: object = {}, sent: Sent = {}): Promise<Message> {
    const stream = await this.open(method, { ...sent, params });
    const answer = await stream.answer();
    await stream.end();
    return answer;
  }

  call(name: string, args: object, more: object = {}, sent: Sent = {}): Promise<Message> {
    return this.ask("tools/call", { name, arguments: args, ...more }, sent);
  }

  /** The id of a new task. */
  async start(name: string, args: object): Promise<string> {
    const { result, error } = await this.call(name, args);
    if (result?.resultType !== "task") throw new Error(JSON.stringify(result ?? error));
    return result.taskId;
  }

  /** What `tasks/get` says; an error is thrown. */
  async task(taskId: string, sent: Sent = {}): Promise<Message> {
    const { result, error } = await this.ask("tasks/get", { taskId }, sent);
    if (error !== undefined) throw new Error(JSON.stringify(error));
    return result;
  }
}
