import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HostProcess } from "../host";
import { LmspClient } from "../lmsp-client";
import { RawClient } from "../mcp/raw-client";
import type { Measure } from "../measure";
import { exchange } from "./exchange";
import { takePlaces } from "./free-places";
import { bytesOf, type FuzzRequest, isWhole } from "./fuzz-request";
import type { HttpAnswer } from "./http-answer";
import { keptConnections } from "./leftovers";
import { messagesIn } from "./messages";
import { StoredTasks, type UnfinishedTask } from "./stored-tasks";
import { askedIn, type Judged, judge, ourFaults } from "./verdict";
import { World } from "./world";

const demoModel = fileURLToPath(new URL("../../assets/models/simmer-demo.gguf", import.meta.url));

/**
 * Small ones, so that what happens at them happens often. Nobody is refused for asking too often, nor a healthy client
 * for being slow on a machine that is busy.
 */
const settings = {
  "limits.requests_per_second": 100_000,
  "limits.request_burst": 1_000_000,
  "limits.body_bytes": 65_536,
  "limits.streams_per_client": 16,
  "limits.waiting_results": 8,
  "limits.queue_per_client": 40,
  "limits.request_timeout": 1_500,
  "models.context": 512,
  "models.resident": 3,
  "retention.events": 3_000,
};
const clients = ["fuzz", "other", "doctor"] as const;
type ClientName = (typeof clients)[number];

/** Milliseconds that anything may take to come to its end; far more than it does. */
const patience = 30_000;

/** The headless host with real models, what one client knows of it, and somebody who asks after its health. */
export class FuzzHost implements AsyncDisposable {
  readonly #host: HostProcess;
  readonly #models: string;
  readonly #stored: StoredTasks;
  readonly #world: World;
  #faults: string[] = [];
  readonly #stop = new AbortController();
  readonly #health: Promise<void>;
  #slowest = 0;
  #readLog = 0;

  static async start(): Promise<FuzzHost> {
    const models = mkdtempSync(join(tmpdir(), "simmer-fuzz-models-"));
    // With two of them beside the demo, a call that names none asks which.
    for (const name of ["twin-a", "twin-b"]) symlinkSync(demoModel, join(models, `${name}.gguf`));
    const host = await HostProcess.start({ modelsDir: models, clients, set: settings, probed: true });
    const other = await new LmspClient(host.endpoint, host.endpoint.clients.other).create({
      input: "Hi",
      model: "simmer-demo",
    });
    return new FuzzHost(host, models, other.id);
  }

  private constructor(host: HostProcess, models: string, othertask: string) {
    this.#host = host;
    this.#models = models;
    this.#stored = new StoredTasks(host.dataDir);
    const { host: address } = new URL(host.endpoint.url);
    this.#world = new World({ host: address, token: this.#token("fuzz"), othertask });
    this.#health = this.#watchHealth();
  }

  /** Milliseconds that the slowest answer to a healthy request took. */
  get slowest(): number {
    return this.#slowest;
  }

  get tasks(): number {
    return this.#stored.count();
  }

  /** What went wrong besides the answers since the last time. */
  takeFaults(): readonly string[] {
    const taken = this.#faults;
    this.#faults = [];
    return taken;
  }

  measure(): Promise<Measure> {
    return this.#host.measure();
  }

  /** Sends one request; the reader of an answer that goes on leaves after `stream` milliseconds. */
  async send(request: FuzzRequest, stream: number): Promise<Judged> {
    const bytes = bytesOf(request, (text) => this.#world.fill(text));
    const received = await exchange(Number(new URL(this.#host.endpoint.url).port), bytes, request.delivery, {
      stream,
      // The one answer whose head comes only with its end.
      mayWait: request.target.includes("/responses"),
      mayStarve: !isWhole(request),
    });
    const judged = judge(request, received, [this.#host.dataDir, ...Object.values(this.#host.endpoint.clients)]);
    for (const answer of judged.answers) this.#learn(answer);
    return judged;
  }

  /** Gives the requests to come something to ask about: sessions, and tasks that have a question. */
  async furnish(): Promise<void> {
    const options = { url: this.#host.endpoint.mcp, token: this.#token("fuzz"), capabilities: { elicitation: {} } };
    for (let count = 0; count < 2; count += 1) {
      const client = await RawClient.connect(options);
      this.#world.add("session", client.session ?? "");
      await client.request("tools/call", { name: "generate", arguments: { prompt: "Hi" }, task: {} });
    }
    for (const { id } of this.#stored.newest("fuzz")) this.#world.add("task", id);
  }

  /** Cancels what the client has begun and ends its sessions. What does not end, or ended by a fault, is noted. */
  async calm(): Promise<void> {
    await using client = await RawClient.connect({ url: this.#host.endpoint.mcp, token: this.#token("fuzz") });
    for (const deadline = performance.now() + patience; ; ) {
      // A plain call that asked something waits some minutes for its caller to come back, as it should.
      const left = this.#stored.unfinished().filter((task) => task.listed || task.status !== "input_required");
      if (left.length === 0) break;
      if (performance.now() > deadline) {
        this.#faults.push(`tasks are stuck: ${JSON.stringify(left.slice(0, 5))}`);
        break;
      }
      await this.#cancel(client, left);
    }
    for (const session of [...this.#world.all("session"), client.session]) await this.#endSession(session);
    this.#world.forget("session");
    this.#faults.push(...this.#stored.failedWith(ourFaults), ...this.#loggedFaults());
  }

  /** Whether streams and waiting calls that are over have given their places back. */
  async checkPlaces(): Promise<void> {
    const endpoint = { url: this.#host.endpoint.mcp, token: this.#token("fuzz") };
    const { faults, sessions } = await takePlaces(endpoint, {
      streams: settings["limits.streams_per_client"],
      waitingResults: settings["limits.waiting_results"],
    });
    this.#faults.push(...faults);
    for (const session of sessions) await this.#endSession(session);
  }

  /** What the host uses once it has no more connections and files open than it had; or what it uses then anyway. */
  async measureAgain(base: Measure): Promise<Measure> {
    for (const deadline = performance.now() + patience; ; ) {
      const now = await this.measure();
      const isBack =
        now.connections <= base.connections + keptConnections && now.descriptors <= base.descriptors + keptConnections;
      if (isBack || performance.now() > deadline) return now;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#health;
    this.#stored.close();
    await this.#host[Symbol.asyncDispose]();
    rmSync(this.#models, { recursive: true, force: true });
  }

  #token(name: ClientName): string {
    const token = this.#host.endpoint.clients[name];
    if (token === undefined) throw new Error(`${name} has no token`);
    return token;
  }

  async #cancel(client: RawClient, tasks: readonly UnfinishedTask[]): Promise<void> {
    const own = tasks.filter((task) => task.listed && task.client === "fuzz" && task.status !== "cancelling");
    for (const { id } of own) await client.request("tasks/cancel", { taskId: id });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }

  async #endSession(session: string | null): Promise<void> {
    const headers = { authorization: `Bearer ${this.#token("fuzz")}`, "mcp-session-id": session ?? "" };
    await (await fetch(this.#host.endpoint.mcp, { method: "DELETE", headers })).text();
  }

  /** Somebody else asks all the time, and must be answered all the time. */
  async #watchHealth(): Promise<void> {
    const doctor = new LmspClient(this.#host.endpoint, this.#token("doctor"));
    while (!this.#stop.signal.aborted) {
      const since = performance.now();
      try {
        const response = await doctor.request("/tasks", { signal: AbortSignal.timeout(patience) });
        await response.text();
        if (response.status !== 200) this.#faults.push(`a healthy request is answered by ${response.status}`);
      } catch (error) {
        this.#faults.push(`a healthy request has no answer: ${error}\n${this.#host.log}`);
        return;
      }
      this.#slowest = Math.max(this.#slowest, performance.now() - since);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  #learn(answer: HttpAnswer): void {
    this.#world.read(answer.body);
    const session = answer.headers.get("mcp-session-id");
    if (session !== undefined) this.#world.add("session", session);
    for (const id of messagesIn(answer).flatMap(askedIn)) this.#world.add("asked", id);
  }

  /** What the host logs as an error is a fault of its own, also when nobody heard an answer. */
  #loggedFaults(): string[] {
    const news = this.#host.log.slice(this.#readLog);
    this.#readLog = this.#host.log.length;
    return news.split("\n").filter((line) => /"level":(?:50|60)\b/.test(line));
  }
}
