import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { frames, LmspClient, refusal } from "../lmsp-client";
import { ModernClient, withTasks } from "../mcp/modern-client";
import { RawClient } from "../mcp/raw-client";
import { TestHost } from "../mcp/test-host";

const held = { model: "held", input: "Write." };

/** A client with all that it can have open at once, in every face; each end is noted by name. */
class BusyClient {
  readonly ends: string[] = [];
  readonly #host: TestHost;
  readonly token: string;
  readonly lmsp: LmspClient;
  readonly modern: ModernClient;
  legacy!: RawClient;
  taskId = "";

  constructor(host: TestHost, token: string) {
    this.#host = host;
    this.token = token;
    this.lmsp = new LmspClient({ lmsp: host.url.replace(/mcp$/, "lmsp/v1"), token });
    this.modern = new ModernClient({ url: host.url, token });
  }

  /** Resolves when everything is open. */
  async open(): Promise<void> {
    this.taskId = (await this.lmsp.create(held)).id;
    await this.lmsp.until(this.taskId, "running");
    this.legacy = await RawClient.connect({ url: this.#host.url, token: this.token });
    await this.#stream("events of a task", await this.lmsp.events(this.taskId));
    await this.#stream("a plain response, streamed", await this.lmsp.post("/responses", { ...held, stream: true }));
    this.#note("a plain response", this.lmsp.post("/responses", held));
    await this.#stream("the GET stream", await this.#get());
    await this.#stream("a subscription", await this.#subscribe());
    this.#note("tasks/result", this.legacy.post({ method: "tasks/result", params: { taskId: this.taskId } }));
    const call = { name: "generate", arguments: { prompt: "Write.", model: "held" } };
    this.#note("a plain call with a session", this.legacy.post({ method: "tools/call", params: call }));
    const plain = await this.modern.declaring({}).post("tools/call", call);
    await this.#stream("a plain call without a session", plain);
    // Of the client: its own task, and the hidden ones of four plain calls.
    const mine = () => this.#host.everyTask().filter(({ client }) => client === this.name);
    await this.#host.eventually(() => mine().length === 5);
  }

  get name(): string {
    return this.#host.seenAtTheDesktop(this.taskId).client;
  }

  #get(): Promise<Response> {
    const session = this.legacy.session ?? "";
    return fetch(this.#host.url, {
      headers: { accept: "text/event-stream", authorization: `Bearer ${this.token}`, "mcp-session-id": session },
    });
  }

  #subscribe(): Promise<Response> {
    const notifications = { taskIds: [this.taskId] };
    return this.modern.declaring(withTasks).post("subscriptions/listen", { notifications });
  }

  /** Its first bytes have come: it is open. */
  async #stream(name: string, response: Response): Promise<void> {
    expect([name, response.status]).toEqual([name, 200]);
    const reader = response.body?.getReader();
    const drain = async () => {
      while (!(await reader?.read())?.done);
    };
    this.#note(name, drain());
  }

  #note(name: string, open: Promise<unknown>): void {
    const ended = () => this.ends.push(name);
    void open.then(ended, ended);
  }
}

const everything = [
  "a plain call with a session",
  "a plain call without a session",
  "a plain response",
  "a plain response, streamed",
  "a subscription",
  "events of a task",
  "tasks/result",
  "the GET stream",
];

describe("a token", () => {
  const names = { busy: "busy", other: "other" };
  let host: TestHost;
  let busy: BusyClient;
  let other: BusyClient;

  beforeEach(async () => {
    host = await TestHost.start();
    busy = new BusyClient(host, host.clients.create(names.busy, "desktop"));
    other = new BusyClient(host, host.clients.create(names.other, "desktop"));
    await busy.open();
    await other.open();
  });
  afterEach(() => host[Symbol.asyncDispose]());

  it.each(["rotate", "revoke"] as const)(
    "that is %sd ends all that its client has open, at once, and of nobody else",
    async (change) => {
      host.clients[change](names.busy, "desktop");
      await host.eventually(() => busy.ends.length === everything.length);
      expect([...busy.ends].sort()).toEqual(everything);
      // Its next call is refused, in every face; the session is gone with it.
      expect(await refusal(await busy.lmsp.request("/tasks"))).toEqual([401, "unauthorized"]);
      expect((await busy.legacy.post({ method: "ping" })).status).toBe(401);
      expect((await busy.modern.post("tools/list")).status).toBe(401);
      expect(await busy.legacy.end()).toBe(401);

      expect(other.ends).toEqual([]);
      expect((await other.legacy.post({ method: "ping" })).status).toBe(200);
      const stream = frames(await other.lmsp.events(other.taskId));
      expect((await stream.next()).value?.event).toBe("response.created");
      await stream.return();
      expect(other.ends).toEqual([]);
    },
  );

  it("that is rotated leaves the client its tasks, which go on, and its sessions begin anew", async () => {
    const token = host.clients.rotate(names.busy, "desktop");
    const lmsp = new LmspClient({ lmsp: busy.lmsp.base, token });
    expect(await lmsp.task(busy.taskId)).toMatchObject({ status: "running" });
    const session = busy.legacy.session ?? "";
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    const answer = await fetch(host.url, {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "mcp-session-id": session,
      },
      body: JSON.stringify(ping),
    });
    expect(answer.status).toBe(404);
    const again = await RawClient.connect({ url: host.url, token });
    expect((await again.task(busy.taskId)).status).toBe("working");
    await again.end();
  });

  it("that is revoked leaves the plain calls cancelled, for nobody waits for them, and the tasks to the client", async () => {
    host.clients.revoke(names.busy, "desktop");
    const mine = () => host.everyTask().filter(({ client }) => client === names.busy);
    await host.eventually(() => mine().every(({ listed, status }) => listed || status === "cancelled"));
    expect(host.seenAtTheDesktop(busy.taskId)).toMatchObject({ client: names.busy, status: "running" });
    const token = host.clients.rotate(names.busy, "desktop");
    expect(await new LmspClient({ lmsp: busy.lmsp.base, token }).task(busy.taskId)).toMatchObject({ id: busy.taskId });
  });
});

describe("a token that lasts", () => {
  it("is good after a restart of the host, which the tokens of the run are not", async () => {
    const before = await TestHost.start();
    const token = before.clients.create("agent", "desktop");
    const run = before.token("alice");
    const host = await before.restart();
    const status = async (value: string) =>
      (await new LmspClient({ lmsp: host.url.replace(/mcp$/, "lmsp/v1"), token: value }).request("/tasks")).status;
    expect([await status(token), await status(run)]).toEqual([200, 401]);
    await host[Symbol.asyncDispose]();
  });
});
