import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BackendReplacedError, type GenerateRequest, type GenerationStep, type ModelSpec } from "../engine/backend";
import { TestClock } from "../engine/test-clock";
import { ProcessBackend } from "./process-host";
import type { ScriptedModel } from "./scripted/script";
import { FakeProcess, pass, settled } from "./test-process";

const never = new AbortController().signal;

let clock: TestClock;
let processes: FakeProcess[];
let backend: ProcessBackend;
let logged: string[];
const models: Record<string, ScriptedModel> = {};

beforeEach(() => {
  clock = new TestClock();
  processes = [];
  logged = [];
  for (const model of Object.keys(models)) delete models[model];
  Object.assign(models, {
    m: { text: "one two", parallel: 2 },
    held: { text: "a b c", hold: ["tokens"], parallel: 2 },
    deaf: { text: "a b c", hold: ["tokens"], deaf: true },
    killer: { crashes: "load" },
    slow: { hold: ["load"] },
  });
  const spawn = () => {
    const process = new FakeProcess({ ...models }, clock);
    processes.push(process);
    return process;
  };
  backend = new ProcessBackend(spawn, { clock, log: { warn: (line) => logged.push(line) } });
});

afterEach(async () => {
  const closed = backend.close();
  await settled();
  clock.advance(10_000);
  await closed;
});

async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  let open = true;
  const settle = () => {
    open = false;
  };
  promise.then(settle, settle);
  await settled();
  return open;
}

function spec(id: string): ModelSpec {
  return { id, path: `/models/${id}.gguf`, contextLength: null, threads: null, parallel: null, gpu: false };
}

const load = (id: string, signal = never) => backend.load(spec(id), signal);

async function written(model: string, signal = never): Promise<string> {
  const request: GenerateRequest = {
    model,
    messages: [{ role: "user", text: "Write." }],
    options: { stop: [], format: { type: "text" } },
  };
  let text = "";
  for await (const step of backend.generate(request, signal)) text += textOf(step);
  return text;
}

function textOf(step: GenerationStep): string {
  return step.type === "piece" ? step.text : "";
}

const crashed = { problem: { code: "backend_crashed" } };

describe("a process", () => {
  it("starts with the first load, and not to answer anything else", async () => {
    expect(await backend.stats()).toEqual({
      generating: 0,
      generatedTokens: 0,
      readTokens: 0,
      loaded: [],
      loads: 0,
      pid: 0,
    });
    await backend.unload("m");
    await expect(written("m")).rejects.toThrow("not loaded");
    expect(processes).toHaveLength(0);
    await Promise.all([load("m"), load("m")]);
    expect(processes).toHaveLength(1);
    expect(await written("m")).toBe("one two");
  });

  it("fails all that is open when it crashes, saying how it ended", async () => {
    await load("held");
    const calls = [written("held"), written("held"), load("slow")].map((call) => call.catch((error: unknown) => error));
    await settled();
    processes[0]?.exit({ code: null, signal: "SIGSEGV" });
    for (const error of await Promise.all(calls)) {
      expect(error).toMatchObject({ problem: { code: "backend_crashed", detail: expect.stringContaining("SIGSEGV") } });
      expect(error).not.toBeInstanceOf(BackendReplacedError);
    }
    expect(logged).toEqual([expect.stringContaining("SIGSEGV")]);
    expect((await backend.stats()).pid).toBe(0);
  });

  it("has crashed too when it leaves with 0 and nobody asked it to", async () => {
    await load("held");
    const text = written("held");
    await settled();
    processes[0]?.exit({ code: 0, signal: null });
    await expect(text).rejects.toMatchObject({ problem: { detail: expect.stringContaining("exit code 0") } });
  });

  it("takes its models with it: each is loaded again, and until then generate says how they were lost", async () => {
    await load("m");
    processes[0]?.exit({ code: 1, signal: null });
    await expect(written("m")).rejects.toMatchObject(crashed);
    const again = load("m");
    clock.advance(1_000);
    await again;
    expect(await written("m")).toBe("one two");
  });

  it("is ended when it says what nobody understands, and that is a crash", async () => {
    await load("held");
    const text = written("held");
    processes[0]?.served.post("nonsense");
    await expect(text).rejects.toMatchObject({
      problem: { code: "backend_crashed", detail: expect.stringContaining("not understood") },
    });
  });
});

describe("the next process", () => {
  async function crashNow(): Promise<void> {
    const { length } = processes;
    const loading = load("m");
    await settled();
    if (processes.length === length && length > 0) throw new Error("No process has started");
    await loading;
    processes.at(-1)?.exit({ code: 1, signal: null });
  }

  it("waits longer after each crash in a row: 1, 2, 4, 8, then 30 seconds", async () => {
    await crashNow();
    for (const seconds of [1, 2, 4, 8, 30, 30]) {
      const { length } = processes;
      const again = load("m");
      clock.advance(seconds * 1_000 - 1);
      expect(await isOpen(again)).toBe(true);
      expect(processes).toHaveLength(length);
      clock.advance(1);
      await again;
      processes.at(-1)?.exit({ code: 1, signal: null });
    }
  });

  it("waits from the crash on, not from the next call", async () => {
    await crashNow();
    clock.advance(1_000);
    await load("m");
    expect(processes).toHaveLength(2);
  });

  it("waits a second again once a generation has come to its end", async () => {
    await crashNow();
    clock.advance(1_000);
    await load("m");
    await written("m");
    processes.at(-1)?.exit({ code: 1, signal: null });
    clock.advance(1_000);
    await load("m");
    expect(processes).toHaveLength(3);
  });

  it("is not waited for by a caller that aborts", async () => {
    await crashNow();
    const caller = new AbortController();
    const waiting = load("m", caller.signal);
    caller.abort(new Error("enough"));
    await expect(waiting).rejects.toBe(caller.signal.reason);
    clock.advance(60_000);
    await settled();
    expect(processes).toHaveLength(1);
  });

  it("never starts once the backend is closed", async () => {
    await crashNow();
    const waiting = load("m");
    const refused = expect(waiting).rejects.toThrow("closed");
    await backend.close();
    await refused;
    await expect(load("m")).rejects.toThrow("closed");
    expect(processes).toHaveLength(1);
  });
});

describe("a model whose loading crashes the process", () => {
  async function crashLoading(): Promise<void> {
    const loading = load("killer");
    clock.advance(30_000);
    await expect(loading).rejects.toMatchObject(crashed);
  }

  it("is put aside after the third time, by name, while others are served", async () => {
    for (let time = 0; time < 3; time++) await crashLoading();
    const { length } = processes;
    const refused = { problem: { code: "model_load_failed", detail: expect.stringContaining("killer") } };
    await expect(load("killer")).rejects.toMatchObject(refused);
    clock.advance(3_600_000);
    await expect(load("killer")).rejects.toMatchObject(refused);
    expect(processes).toHaveLength(length);
    await load("m");
    expect(await written("m")).toBe("one two");
  });

  it("is tried again when it is forgiven", async () => {
    for (let time = 0; time < 3; time++) await crashLoading();
    backend.aside.forgive("killer");
    models.killer = { text: "tamed" };
    clock.advance(30_000);
    await load("killer");
    expect(await written("killer")).toBe("tamed");
  });

  it("is not put aside for crashes long ago", async () => {
    await crashLoading();
    await crashLoading();
    clock.advance(600_000);
    await crashLoading();
    await crashLoading();
    await crashLoading();
    await expect(load("killer")).rejects.toMatchObject({ problem: { code: "model_load_failed" } });
  });

  it("is innocent when the process crashes at something else", async () => {
    await load("m");
    for (let time = 0; time < 4; time++) {
      processes.at(-1)?.exit({ code: 1, signal: null });
      clock.advance(30_000);
      await load("m");
    }
  });
});

describe("a call that does not stop", () => {
  it("costs the process after the bound, and its caller gets its own reason", async () => {
    await load("deaf");
    const caller = new AbortController();
    const text = written("deaf", caller.signal);
    await settled();
    caller.abort(new Error("enough"));
    await pass(clock, 4_999);
    expect(await isOpen(text)).toBe(true);
    await Promise.all([pass(clock, 1), expect(text).rejects.toBe(caller.signal.reason)]);
    expect((await backend.stats()).pid).toBe(0);
  });

  it("is told apart from a crash by its neighbours, and the next process starts at once", async () => {
    await load("deaf");
    await load("held");
    const caller = new AbortController();
    const deaf = written("deaf", caller.signal).catch(() => "stopped");
    const neighbour = written("held");
    await settled();
    caller.abort();
    const replaced = expect(neighbour).rejects.toBeInstanceOf(BackendReplacedError);
    await pass(clock, 5_000);
    await replaced;
    expect(await deaf).toBe("stopped");
    await expect(written("held")).rejects.toBeInstanceOf(BackendReplacedError);
    await load("held");
    const again = written("held");
    await settled();
    processes[1]?.script.release(4);
    expect(await again).toBe("a b c");
  });

  it("costs nothing when it stops in time", async () => {
    await load("held");
    const caller = new AbortController();
    const text = written("held", caller.signal);
    await settled();
    caller.abort(new Error("enough"));
    await expect(text).rejects.toBe(caller.signal.reason);
    await pass(clock, 60_000);
    await load("held");
    expect(processes).toHaveLength(1);
  });

  it("may be a load", async () => {
    models.slow = { hold: ["load"], deaf: true };
    const caller = new AbortController();
    const loading = load("slow", caller.signal);
    await settled();
    caller.abort(new Error("enough"));
    await Promise.all([pass(clock, 5_000), expect(loading).rejects.toBe(caller.signal.reason)]);
    await load("m");
    expect(processes).toHaveLength(2);
  });
});

describe("closing", () => {
  it("lets the process end by itself, and is no crash", async () => {
    await load("held");
    const text = written("held").catch((error: unknown) => error);
    await settled();
    await Promise.all([backend.close(), backend.close()]);
    expect(await text).toBeInstanceOf(Error);
    expect(logged).toEqual([]);
    expect(await backend.stats()).toMatchObject({ pid: 0 });
  });

  it("ends a process that does not answer", async () => {
    await load("m");
    const [process] = processes;
    if (process !== undefined) process.script.close = () => new Promise(() => undefined);
    const closed = backend.close();
    expect(await isOpen(closed)).toBe(true);
    clock.advance(2_000);
    await closed;
  });
});
