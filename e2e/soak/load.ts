import type { HostProcess } from "../host";
import { finalEvents, frames, LmspClient } from "../lmsp-client";
import { RawClient } from "../mcp/raw-client";
import type { Latencies } from "./sample";

/** As many connections may stay open between two calls. */
export const workers = 12;
/** Milliseconds; short enough that after a minute or two as many tasks go as come. */
const ttl = 15_000;
/** A session is given up for a new one after so many tasks. */
const sessionTasks = 60;

/** Clients that do what clients do, over and over, until `signal` aborts. Every refusal that they do not expect throws. */
export class Load {
  tasks = 0;
  readonly #host: HostProcess;
  readonly #latencies: Latencies;
  readonly #signal: AbortSignal;

  constructor(host: HostProcess, latencies: Latencies, signal: AbortSignal) {
    this.#host = host;
    this.#latencies = latencies;
    this.#signal = signal;
  }

  /** Resolves when every client has finished what it had begun. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: workers }, (_, worker) => this.#work(worker)));
  }

  async #work(worker: number): Promise<void> {
    const { mcp, endpoint } = { mcp: this.#host.endpoint.mcp, endpoint: this.#host.endpoint };
    const token = worker % 2 === 0 ? endpoint.token : (endpoint.clients.agent ?? "");
    const lmsp = new LmspClient(endpoint, token);
    for (let round = 0; !this.#signal.aborted; round += 1) {
      await using agent = await RawClient.connect({ url: mcp, token });
      for (let turn = 0; turn < sessionTasks && !this.#signal.aborted; turn += 1) {
        await this.#task(agent, lmsp, worker + turn);
      }
      await agent.list();
      // What has no ttl is kept for good: few of those, or the files could not stay as they are.
      if (round % 4 === 0) await this.#plain(lmsp);
      await agent.end();
    }
  }

  /** One task: awaited, polled, followed, left and taken up again, or cancelled. */
  async #task(agent: RawClient, lmsp: LmspClient, turn: number): Promise<void> {
    const args = { prompt: `Count to ${turn % 90}.`, temperature: 0, max_output_tokens: 1 + (turn % 4) };
    const started = performance.now();
    const id = await agent.start("generate", args, { ttl });
    this.#latencies.created(performance.now() - started);
    this.tasks += 1;
    if (turn % 5 === 0) await agent.request("tasks/cancel", { taskId: id });
    if (turn % 5 === 1) await leave(lmsp, id);
    if (turn % 5 <= 2) await follow(lmsp, id);
    else if (turn % 5 === 3) await agent.outcome(id);
    const asked = performance.now();
    await lmsp.task(id);
    this.#latencies.read(performance.now() - asked);
  }

  async #plain(lmsp: LmspClient): Promise<void> {
    const response = await lmsp.post("/responses", { input: "Count.", temperature: 0, max_output_tokens: 2 });
    if (response.status !== 200) throw new Error(`A plain call answered ${response.status}`);
    await response.text();
    this.tasks += 1;
  }
}

async function leave(lmsp: LmspClient, id: string): Promise<void> {
  const leaving = new AbortController();
  const response = await lmsp.events(id, undefined, "query", leaving.signal);
  await response.body?.getReader().read();
  leaving.abort();
}

async function follow(lmsp: LmspClient, id: string): Promise<void> {
  let last = "";
  for await (const { event } of frames(await lmsp.events(id))) last = event;
  if (!finalEvents.includes(last)) throw new Error(`The stream of ${id} ended with ${last}`);
}
