import { z } from "zod";
import { sseFrames } from "./sse";
import { callToolResult, type RpcAnswer, type RpcError, rpcAnswer, rpcMessage, taskStatus } from "./wire";

type Params = Readonly<Record<string, unknown>>;

export const protocolVersion = "2026-07-28";
export const tasksExtension = "io.modelcontextprotocol/tasks";
const envelope = "io.modelcontextprotocol/";

const iso8601 = z.iso.datetime({ offset: true });
const taskFields = {
  taskId: z.string(),
  status: taskStatus,
  statusMessage: z.string().optional(),
  createdAt: iso8601,
  lastUpdatedAt: iso8601,
  ttlMs: z.int().nullable(),
  pollIntervalMs: z.int().positive().optional(),
  _meta: z.record(z.string(), z.unknown()).optional(),
};

export const createTaskResult = z.strictObject({ resultType: z.literal("task"), ...taskFields });
export const detailedTask = z.strictObject({
  resultType: z.literal("complete").optional(),
  ...taskFields,
  inputRequests: z.record(z.string(), z.looseObject({ method: z.string() })).optional(),
  // The answer of the call itself: as every result it says its type.
  result: callToolResult.extend({ resultType: z.literal("complete") }).optional(),
  error: z.strictObject({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
});
export type DetailedTask = z.output<typeof detailedTask>;

export interface ModernOptions {
  readonly url: string;
  readonly token: string;
  readonly capabilities?: Params;
}

/** Capabilities of a client that takes tasks and answers forms. */
export const withTasks: Params = { elicitation: {}, extensions: { [tasksExtension]: {} } };

/** A client of MCP 2026-07-28 on nothing but `fetch`: no session, each request says all there is to know. */
export class ModernClient {
  readonly #options: ModernOptions;
  #nextId = 1;

  constructor(options: ModernOptions) {
    this.#options = options;
  }

  /** Whoever asks, with other capabilities. */
  declaring(capabilities: Params): ModernClient {
    return new ModernClient({ ...this.#options, capabilities });
  }

  async post(
    method: string,
    params: Params = {},
    { headers = {}, signal }: { headers?: Readonly<Record<string, string>>; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const { url, token, capabilities = withTasks } = this.#options;
    const { _meta = {}, ...rest } = params;
    const meta = {
      [`${envelope}protocolVersion`]: protocolVersion,
      [`${envelope}clientCapabilities`]: capabilities,
      [`${envelope}clientInfo`]: { name: "raw-client", version: "1" },
      ...(_meta as Params),
    };
    return await fetch(url, {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "mcp-protocol-version": protocolVersion,
        "mcp-method": method,
        ...nameHeader(params),
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: this.#nextId++, method, params: { ...rest, _meta: meta } }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** The answer to a request with the status that it came with. */
  async request(
    method: string,
    params: Params = {},
    init: Parameters<ModernClient["post"]>[2] = {},
  ): Promise<{ readonly status: number; readonly answer: RpcAnswer }> {
    const response = await this.post(method, params, init);
    return { status: response.status, answer: await answerOf(response) };
  }

  async result<T>(schema: z.ZodType<T>, method: string, params: Params = {}): Promise<T> {
    const { answer } = await this.request(method, params);
    if ("error" in answer) throw new Error(`${method}: ${answer.error.code} ${answer.error.message}`);
    return schema.parse(answer.result);
  }

  async error(method: string, params: Params = {}): Promise<RpcError> {
    const { answer } = await this.request(method, params);
    if ("result" in answer) throw new Error(`${method} was answered: ${JSON.stringify(answer.result)}`);
    return answer.error;
  }

  create(name: string, args: Params = {}) {
    return this.result(createTaskResult, "tools/call", { name, arguments: args });
  }

  async start(name: string, args: Params = {}): Promise<string> {
    return (await this.create(name, args)).taskId;
  }

  task(taskId: string): Promise<DetailedTask> {
    return this.result(detailedTask, "tasks/get", { taskId });
  }

  /** Polls until the task has one of these statuses. */
  async until(taskId: string, ...statuses: DetailedTask["status"][]): Promise<DetailedTask> {
    for (;;) {
      const task = await this.task(taskId);
      if (statuses.includes(task.status)) return task;
      if (["completed", "failed", "cancelled"].includes(task.status))
        throw new Error(`The task is ${task.status}: ${task.statusMessage}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** The acknowledgement of `tasks/update` or `tasks/cancel`. */
  acknowledged(method: string, params: Params) {
    return this.result(acknowledgement, method, params);
  }

  /** What comes on a subscription to these tasks, until the signal aborts or the server ends it. */
  async *listen(notifications: Params, signal: AbortSignal): AsyncGenerator<ListenMessage, void> {
    const response = await this.post("subscriptions/listen", { notifications }, { signal });
    if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
      throw new Error(`No subscription: ${response.status} ${await response.text()}`);
    }
    for await (const { data } of sseFrames(response)) yield listenMessage.parse(JSON.parse(data));
  }
}

const acknowledgement = z.strictObject({
  resultType: z.literal("complete"),
  _meta: z.record(z.string(), z.unknown()).optional(),
});

const listenMessage = z.looseObject({
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
  result: z.looseObject({}).optional(),
});
export type ListenMessage = z.output<typeof listenMessage>;

/** SEP-2243: what a request is about stands in a header too. */
function nameHeader({ name, uri, taskId }: Params): Record<string, string> {
  const value = name ?? uri ?? taskId;
  return typeof value === "string" ? { "mcp-name": value } : {};
}

async function answerOf(response: Response): Promise<RpcAnswer> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream"))
    return rpcAnswer.parse(JSON.parse(await response.text()));
  for await (const { data } of sseFrames(response)) {
    const message = rpcMessage.parse(JSON.parse(data));
    if (!("method" in message)) return message;
  }
  throw new Error("The stream ended without an answer");
}
