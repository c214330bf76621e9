import { MessageChannel } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import type { Backend, GenerateRequest, GenerationStep, ModelSpec } from "../../engine/backend";
import { describeBackend, type Tested } from "../contract";
import type { ScriptedModel } from "../scripted/script";
import { ScriptedBackend } from "../scripted/scripted-backend";
import { ChannelBackend, type ChannelHooks } from "./channel-backend";
import { messagePort } from "./message-port";
import type { Port } from "./port";
import { serveBackend } from "./serve-backend";

const never = new AbortController().signal;
const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

function channel(): { readonly host: Port; readonly process: Port } {
  const { port1, port2 } = new MessageChannel();
  closers.push(() => port1.close());
  return { host: messagePort(port1), process: messagePort(port2) };
}

function served(backend: Backend, hooks?: ChannelHooks) {
  const { host, process } = channel();
  const log: string[] = [];
  const bundles: unknown[] = [];
  serveBackend(backend, recording(process, bundles), (line) => log.push(line));
  return { backend: new ChannelBackend(host, hooks), host, log, bundles };
}

function recording(port: Port, posted: unknown[]): Port {
  return {
    ...port,
    post(message) {
      posted.push(message);
      port.post(message);
    },
  };
}

function spec(id: string): ModelSpec {
  return { id, path: `/models/${id}.gguf`, contextLength: null, threads: null, parallel: null, gpu: false };
}

function request(model: string): GenerateRequest {
  return { model, messages: [{ role: "user", text: "Write." }], options: { stop: [], format: { type: "text" } } };
}

function scripted(model: ScriptedModel): ScriptedBackend {
  return new ScriptedBackend({ models: { m: model } });
}

async function all(steps: AsyncIterable<GenerationStep>): Promise<GenerationStep[]> {
  const got: GenerationStep[] = [];
  for await (const step of steps) got.push(step);
  return got;
}

describeBackend("the scripted backend over a channel", async (): Promise<Tested> => {
  const script = new ScriptedBackend({
    models: { writer: { text: "One two three 😀 four. ", endless: true, parallel: 3 }, broken: { loadFails: "cut" } },
  });
  return {
    backend: served(script).backend,
    model: spec("writer"),
    broken: spec("broken"),
    request: request("writer"),
    parallel: 3,
    apart: false,
  };
});

/** A backend that gives these steps in one go, whatever it is asked. */
function giving(steps: readonly GenerationStep[], more: Partial<Backend> = {}): Backend {
  const idle = { generating: 0, generatedTokens: 0, readTokens: 0, loaded: [], loads: 0, pid: 1 };
  return {
    load: async ({ id }) => ({ id, contextLength: 10, parallel: 1 }),
    unload: async () => undefined,
    async *generate() {
      for (const step of steps) yield step;
    },
    stats: async () => idle,
    close: async () => undefined,
    ...more,
  };
}

const piece = (text: string): GenerationStep => ({ type: "piece", output: "message", text, tokens: [1] });

describe("a channel", () => {
  it("sends the first step of a turn at once and the others of that turn together", async () => {
    const steps = [piece("a"), piece("b"), piece("c"), piece("d")];
    const { backend, bundles } = served(giving(steps));
    expect(await all(backend.generate(request("m"), never))).toEqual(steps);
    expect(bundles).toEqual([
      [{ type: "steps", id: 1, steps: [piece("a")] }],
      [
        { type: "steps", id: 1, steps: [piece("b"), piece("c"), piece("d")] },
        { type: "done", id: 1, value: null },
      ],
    ]);
  });

  it("carries problems as problems, and of bugs only the words, logging the stack", async () => {
    const failing = scripted({ loadFails: "it is cut" });
    await expect(served(failing).backend.load(spec("m"), never)).rejects.toMatchObject({
      name: "ProblemError",
      problem: { code: "model_load_failed", detail: expect.stringContaining("it is cut") },
    });
    const bug = served(giving([], { load: () => Promise.reject(new TypeError("x is undefined")) }));
    const error = await bug.backend.load(spec("m"), never).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: "Error", message: expect.stringContaining("x is undefined") });
    expect(bug.log).toEqual([expect.stringMatching(/^TypeError: x is undefined\n\s+at /)]);
  });

  it("carries an abort to the other side", async () => {
    const { backend } = served(scripted({ text: "a b", hold: ["tokens"] }));
    await backend.load(spec("m"), never);
    const caller = new AbortController();
    const text = all(backend.generate(request("m"), caller.signal));
    expect((await backend.stats()).generating).toBe(1);
    caller.abort(new Error("enough"));
    await expect(text).rejects.toBe(caller.signal.reason);
    expect((await backend.stats()).generating).toBe(0);
  });

  it("tells when a call is stopping, and when it has stopped", async () => {
    const log: string[] = [];
    const stopping = () => {
      log.push("stopping");
      return () => log.push("stopped");
    };
    const script = scripted({ text: "a b", hold: ["tokens"], deaf: true });
    const { backend } = served(script, { stopping });
    await backend.load(spec("m"), never);
    const caller = new AbortController();
    const text = all(backend.generate(request("m"), caller.signal));
    expect((await backend.stats()).generating).toBe(1);
    caller.abort(new Error("enough"));
    await backend.stats();
    expect(log).toEqual(["stopping"]);
    script.release(3);
    await expect(text).rejects.toBe(caller.signal.reason);
    expect(log).toEqual(["stopping", "stopped"]);
  });

  it("fails what is open, and what comes later, when it closes", async () => {
    const { backend, host } = served(scripted({ hold: ["load"] }));
    const load = backend.load(spec("m"), never);
    host.close();
    await expect(load).rejects.toMatchObject({ problem: { code: "backend_crashed" } });
    await expect(backend.stats()).rejects.toMatchObject({ problem: { code: "backend_crashed" } });
  });

  it("stops everything on the other side when it closes", async () => {
    const script = scripted({ text: "on ", endless: true });
    const { backend, host } = served(script);
    await backend.load(spec("m"), never);
    const text = all(backend.generate(request("m"), never));
    host.close();
    await expect(text).rejects.toThrow();
    await expect.poll(async () => (await script.stats()).generating).toBe(0);
    await expect(script.load(spec("m"), never)).rejects.toThrow();
  });

  it.each([
    ["no bundle", "hello"],
    ["an unknown message", [{ type: "greeting", id: 1 }]],
    ["a step of another shape", [{ type: "steps", id: 1, steps: [{ type: "piece", text: 7 }] }]],
  ])("is lost for the host when %s arrives", async (_, message) => {
    const { host, process } = channel();
    const backend = new ChannelBackend(host);
    const load = backend.load(spec("m"), never);
    process.post(message);
    await expect(load).rejects.toMatchObject({
      problem: { code: "backend_crashed", detail: expect.stringContaining("not understood") },
    });
  });

  it("checks an answer's value too", async () => {
    const { host, process } = channel();
    const backend = new ChannelBackend(host);
    process.onMessage(() => process.post([{ type: "done", id: 1, value: { id: 3 } }]));
    await expect(backend.load(spec("m"), never)).rejects.toThrow();
  });

  it("refuses what the host should not send, and goes on", async () => {
    const { host, process } = channel();
    const log: string[] = [];
    serveBackend(giving([]), process, (line) => log.push(line));
    const answers: unknown[] = [];
    host.onMessage((message) => answers.push(message));
    for (const message of [null, 7, { type: "load", id: 9, model: {} }, { type: "stats", id: 10 }]) host.post(message);
    await expect
      .poll(() => answers.flat())
      .toMatchObject([
        { type: "failed", id: 9 },
        { type: "done", id: 10 },
      ]);
    expect(log).toHaveLength(3);
  });
});
