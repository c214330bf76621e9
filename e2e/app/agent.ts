import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
} from "@modelcontextprotocol/sdk/types.js";

export type Answering = (params: ElicitRequest["params"]) => ElicitResult | Promise<ElicitResult>;

interface AgentOptions {
  readonly url: string;
  readonly token: string | undefined;
  /** It can be asked only when it has this. */
  readonly answering?: Answering;
}

/** An agent that calls over MCP while a person watches: the SDK's own client of 2025-11-25. */
export class Agent implements AsyncDisposable {
  readonly #client: Client;
  readonly #transport: StreamableHTTPClientTransport;

  private constructor(client: Client, transport: StreamableHTTPClientTransport) {
    this.#client = client;
    this.#transport = transport;
  }

  static async connect({ url, token, answering }: AgentOptions): Promise<Agent> {
    const capabilities = answering === undefined ? {} : { elicitation: {} };
    const client = new Client({ name: "weather-agent", version: "1.0.0" }, { capabilities });
    if (answering !== undefined) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answering(params));
    const headers = { authorization: `Bearer ${token}` };
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
    // The SDK's own types differ where an optional property may not be undefined.
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    return new Agent(client, transport);
  }

  /** Calls a tool as a task; the id of the task. */
  async start(name: string, args: Record<string, unknown>): Promise<string> {
    const params = { name, arguments: args, task: {} };
    const { task } = await this.#client.request({ method: "tools/call", params }, CreateTaskResultSchema);
    return task.taskId;
  }

  /** Hangs until the task has ended, as `tasks/result` does. */
  result(taskId: string) {
    return this.#client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
  }

  async status(taskId: string): Promise<string> {
    return (await this.#client.experimental.tasks.getTask(taskId)).status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport.terminateSession();
    await this.#client.close();
  }
}
