import { type Message, TestStream } from "./test-streams";

export interface TestAgentOptions {
  readonly token?: string;
  readonly capabilities?: object;
  readonly protocolVersion?: string;
}

/** A client of the protocol that says exactly what a test tells it to, over real HTTP. */
export class TestAgent {
  readonly url: string;
  readonly token: string;
  session: string | undefined;
  version: string | undefined;
  #ids = 0;

  constructor(url: string, token = "secret") {
    this.url = url;
    this.token = token;
  }

  /** With an open session. */
  static async connect(url: string, options: TestAgentOptions = {}): Promise<TestAgent> {
    const agent = new TestAgent(url, options.token);
    await agent.initialize(options);
    return agent;
  }

  async initialize({ capabilities = {}, protocolVersion = "2025-11-25" }: TestAgentOptions = {}): Promise<Message> {
    const clientInfo = { name: "test", version: "1" };
    const stream = await this.open("initialize", { protocolVersion, capabilities, clientInfo });
    const answer = await stream.answer();
    this.session = stream.response.headers.get("mcp-session-id") ?? undefined;
    this.version = answer.result?.protocolVersion;
    await this.notify("notifications/initialized");
    return answer;
  }

  http(method: string, body?: unknown, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const session = this.session === undefined ? {} : { "mcp-session-id": this.session };
    const version = this.version === undefined ? {} : { "mcp-protocol-version": this.version };
    return fetch(this.url, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        accept: method === "GET" ? "text/event-stream" : "application/json, text/event-stream",
        ...json,
        ...session,
        ...version,
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** The id that the next request will have. */
  get nextId(): number {
    return this.#ids + 1;
  }

  /** Sends a request and returns its stream, also when the answer is plain JSON. */
  async open(method: string, params?: object): Promise<TestStream> {
    this.#ids += 1;
    const abort = new AbortController();
    const message = { jsonrpc: "2.0", id: this.#ids, method, ...(params === undefined ? {} : { params }) };
    return new TestStream(await this.http("POST", message, {}, abort.signal), abort);
  }

  /** The JSON-RPC message that answers. */
  async ask(method: string, params?: object): Promise<Message> {
    this.#ids += 1;
    const message = { jsonrpc: "2.0", id: this.#ids, method, ...(params === undefined ? {} : { params }) };
    const response = await this.http("POST", message);
    if (response.headers.get("content-type")?.startsWith("application/json")) return await response.json();
    return await new TestStream(response, new AbortController()).answer();
  }

  async notify(method: string, params?: object): Promise<void> {
    const message = { jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) };
    const response = await this.http("POST", message);
    if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
    await response.text();
  }

  /** Answers a request of the server. */
  async respond(id: unknown, result: object): Promise<void> {
    await (await this.http("POST", { jsonrpc: "2.0", id, result })).text();
  }

  async refuse(id: unknown, code: number, message: string): Promise<void> {
    await (await this.http("POST", { jsonrpc: "2.0", id, error: { code, message } })).text();
  }

  /** The GET stream. */
  async listen(): Promise<TestStream> {
    const abort = new AbortController();
    return new TestStream(await this.http("GET", undefined, {}, abort.signal), abort);
  }

  callTask(name: string, args: object, task: object = {}, meta: object = {}): Promise<Message> {
    return this.ask("tools/call", { name, arguments: args, task, _meta: meta });
  }

  /** The id of a new task. */
  async startTask(name: string, args: object, task: object = {}, meta: object = {}): Promise<string> {
    const answer = await this.callTask(name, args, task, meta);
    if (answer.result?.task === undefined) throw new Error(JSON.stringify(answer));
    return answer.result.task.taskId;
  }

  task(taskId: string): Promise<Message> {
    return this.ask("tasks/get", { taskId }).then(({ result, error }) => result ?? error);
  }
}
