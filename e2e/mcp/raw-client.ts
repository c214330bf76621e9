import { EventEmitter, once } from "node:events";
import type { z } from "zod";
import { sseFrames } from "./sse";
import {
  type CallToolResult,
  callToolResult,
  createTaskResult,
  listTasksResult,
  type RpcAnswer,
  type RpcError,
  type RpcNotification,
  type RpcRequest,
  rpcMessage,
  toldTask,
  type WireStatus,
  type WireTask,
} from "./wire";

type Params = Readonly<Record<string, unknown>>;

export interface RawClientOptions {
  readonly url: string;
  readonly token: string;
  readonly capabilities?: Params;
  /** Answers requests of the server by method; one that has no handler stays open for the test. */
  readonly handlers?: Readonly<Record<string, (params: Params) => Params | RpcFault | Promise<Params | RpcFault>>>;
  /** Opens the GET stream too. */
  readonly listen?: boolean;
}

/** What a handler returns to answer with an error. */
export class RpcFault {
  readonly error: RpcError;

  constructor(code: number, message: string) {
    this.error = { code, message };
  }
}

/** A request or notification of the server, with the stream that it came on: `GET`, or the method that opened it. */
export interface Received {
  readonly on: string;
  readonly method: string;
  readonly params: Params;
  /** Of a request. */
  readonly id: string | number | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly answer: RpcAnswer | undefined;
}

const protocolVersion = "2025-11-25";

/**
 * A client of MCP 2025-11-25 on nothing but `fetch`, so that tests see what any client would see: sessions, answers as
 * JSON or as events, the GET stream, requests of the server.
 */
export class RawClient implements AsyncDisposable {
  /** What the server said of itself at `initialize`. */
  readonly server: Params;
  /** Requests and notifications of the server, in the order in which they came. */
  readonly received: Received[] = [];
  readonly #options: RawClientOptions;
  readonly session: string | null;
  readonly #arrivals = new EventEmitter();
  readonly #life = new AbortController();
  #nextId = 1;

  private constructor(options: RawClientOptions, session: string | null, server: Params) {
    this.#options = options;
    this.session = session;
    this.server = server;
    this.#arrivals.setMaxListeners(0);
  }

  static async connect(options: RawClientOptions): Promise<RawClient> {
    const { status, answer, headers } = await new RawClient(options, null, {}).post({
      method: "initialize",
      params: {
        protocolVersion,
        capabilities: options.capabilities ?? {},
        clientInfo: { name: "raw-client", version: "1" },
      },
    });
    if (answer === undefined || "error" in answer)
      throw new Error(`Not initialized: ${status} ${JSON.stringify(answer)}`);
    const client = new RawClient(options, headers.get("mcp-session-id"), answer.result);
    await client.notify("notifications/initialized");
    if (options.listen) await client.listen();
    return client;
  }

  /** The same client with a new session; what it had open stays open. */
  reconnect(options: Partial<RawClientOptions> = {}): Promise<RawClient> {
    return RawClient.connect({ ...this.#options, ...options });
  }

  /** One JSON-RPC message by HTTP POST. Resolves with the answer to a request, or when the server took the message. */
  async post(
    message: Params,
    { signal, headers = {} }: { signal?: AbortSignal; headers?: Readonly<Record<string, string>> } = {},
  ): Promise<HttpAnswer> {
    const isCall = "method" in message && !String(message.method).startsWith("notifications/");
    const id = isCall ? { id: this.#nextId++ } : {};
    const body = JSON.stringify({ jsonrpc: "2.0", ...id, ...message });
    try {
      const response = await fetch(this.#options.url, {
        method: "POST",
        headers: {
          ...this.#headers("application/json, text/event-stream"),
          "content-type": "application/json",
          ...headers,
        },
        body,
        signal: signal === undefined ? this.#life.signal : AbortSignal.any([signal, this.#life.signal]),
      });
      const answer = await this.#answer(response, String(message.method ?? "an answer"));
      return { status: response.status, headers: response.headers, answer };
    } catch (error) {
      // The test is over: whoever still waits waits for nothing.
      if (this.#life.signal.aborted) return await new Promise(() => undefined);
      throw error;
    }
  }

  /** Opens the stream of what the server has to say by itself. Resolves when it is open. */
  async listen(signal?: AbortSignal): Promise<void> {
    const response = await fetch(this.#options.url, {
      headers: this.#headers("text/event-stream"),
      signal: signal === undefined ? this.#life.signal : AbortSignal.any([signal, this.#life.signal]),
    });
    if (response.status !== 200) throw new Error(`No GET stream: ${response.status} ${await response.text()}`);
    void this.#read(response, "GET").catch(() => undefined); // it ends with the client, or the server
  }

  async notify(method: string, params: Params = {}): Promise<void> {
    const { status } = await this.post({ method, params });
    if (status !== 202) throw new Error(`${method} was not taken: ${status}`);
  }

  /** The answer to a request, whatever it is. */
  async request(method: string, params: Params = {}, signal?: AbortSignal): Promise<RpcAnswer> {
    const { status, answer } = await this.post({ method, params }, signal === undefined ? {} : { signal });
    if (answer === undefined) throw new Error(`${method} has no answer: ${status}`);
    return answer;
  }

  /** The result of a request, in the form that it must have; throws when it is an error. */
  async result<T>(schema: z.ZodType<T>, method: string, params: Params = {}, signal?: AbortSignal): Promise<T> {
    const answer = await this.request(method, params, signal);
    if ("error" in answer) throw new Error(`${method}: ${answer.error.code} ${answer.error.message}`);
    return schema.parse(answer.result);
  }

  /** The error of a request; throws when there is none. */
  async error(method: string, params: Params = {}): Promise<RpcError> {
    const answer = await this.request(method, params);
    if ("result" in answer) throw new Error(`${method} was answered: ${JSON.stringify(answer.result)}`);
    return answer.error;
  }

  /** Answers a request of the server. */
  async answer(id: string | number | undefined, reply: Params | RpcFault): Promise<void> {
    const body = reply instanceof RpcFault ? { error: reply.error } : { result: reply };
    const { status } = await this.post({ id, ...body });
    if (status !== 202) throw new Error(`The answer was not taken: ${status}`);
  }

  call(name: string, args: Params = {}, more: Params = {}, signal?: AbortSignal): Promise<CallToolResult> {
    return this.result(callToolResult, "tools/call", { name, arguments: args, ...more }, signal);
  }

  /** Calls a tool as a task. */
  create(name: string, args: Params = {}, task: Params = {}, meta?: Params) {
    const params = { name, arguments: args, task, ...(meta === undefined ? {} : { _meta: meta }) };
    return this.result(createTaskResult, "tools/call", params);
  }

  /** The id of a new task. */
  async start(name: string, args: Params = {}, task: Params = {}, meta?: Params): Promise<string> {
    return (await this.create(name, args, task, meta)).task.taskId;
  }

  task(taskId: string) {
    return this.result(toldTask, "tasks/get", { taskId });
  }

  outcome(taskId: string, signal?: AbortSignal): Promise<CallToolResult> {
    return this.result(callToolResult, "tasks/result", { taskId }, signal);
  }

  cancel(taskId: string) {
    return this.result(toldTask, "tasks/cancel", { taskId });
  }

  list(cursor?: string) {
    return this.result(listTasksResult, "tasks/list", cursor === undefined ? {} : { cursor });
  }

  /** Every task, page by page. */
  async all(): Promise<WireTask[]> {
    const tasks: WireTask[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await this.list(cursor);
      tasks.push(...page.tasks);
      cursor = page.nextCursor;
      if (cursor === undefined) return tasks;
    }
  }

  /** Polls until the task has this status; throws when it ends otherwise. */
  async until(taskId: string, status: WireStatus): Promise<WireTask> {
    for (;;) {
      const task = await this.task(taskId);
      if (task.status === status) return task;
      if (["completed", "failed", "cancelled"].includes(task.status))
        throw new Error(`The task is ${task.status}: ${task.statusMessage}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** The first message of the server that fits, come already or still to come. */
  async next(method: string, fits: (received: Received) => boolean = () => true): Promise<Received> {
    for (;;) {
      const found = this.received.find((one) => one.method === method && fits(one));
      if (found !== undefined) return found;
      await once(this.#arrivals, "arrival");
    }
  }

  receivedOf(method: string): Received[] {
    return this.received.filter((one) => one.method === method);
  }

  /** Ends the session, as a client that is done does. */
  async end(): Promise<number> {
    const response = await fetch(this.#options.url, { method: "DELETE", headers: this.#headers("*/*") });
    await response.text();
    return response.status;
  }

  /** Drops every connection; the session is left as it is. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#life.abort();
  }

  #headers(accept: string): Record<string, string> {
    const session: Record<string, string> =
      this.session === null ? {} : { "mcp-session-id": this.session, "mcp-protocol-version": protocolVersion };
    return { accept, authorization: `Bearer ${this.#options.token}`, ...session };
  }

  async #answer(response: Response, method: string): Promise<RpcAnswer | undefined> {
    const type = response.headers.get("content-type") ?? "";
    if (type.startsWith("text/event-stream")) return await this.#read(response, method);
    const text = await response.text();
    if (!type.startsWith("application/json") || text === "") return undefined;
    const message = rpcMessage.parse(JSON.parse(text));
    if ("method" in message) throw new Error(`Not an answer: ${text}`);
    return message;
  }

  /** Takes in everything on a stream; the answer on it, if there is one. */
  async #read(response: Response, on: string): Promise<RpcAnswer | undefined> {
    let answer: RpcAnswer | undefined;
    for await (const { data } of sseFrames(response)) {
      const message = rpcMessage.parse(JSON.parse(data));
      if ("method" in message) this.#receive(message, on);
      else if (answer === undefined) answer = message;
      else throw new Error(`A second answer on one stream: ${data}`);
    }
    return answer;
  }

  #receive(message: RpcRequest | RpcNotification, on: string): void {
    const id = "id" in message ? message.id : undefined;
    const received = { on, method: message.method, params: message.params ?? {}, id };
    this.received.push(received);
    this.#arrivals.emit("arrival");
    const handler = this.#options.handlers?.[message.method];
    // An answer that is not taken shows in what the test waits for.
    if (id !== undefined && handler !== undefined) void this.#handle(received, handler).catch(() => undefined);
  }

  async #handle({ id, params }: Received, handler: NonNullable<RawClientOptions["handlers"]>[string]): Promise<void> {
    await this.answer(id, await handler(params));
  }
}
