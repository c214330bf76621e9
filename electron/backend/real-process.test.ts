import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { GenerateRequest, GenerationStep, ModelSpec } from "../engine/backend";
import { describeBackend, type Tested } from "./contract";
import { forkInference } from "./fork-inference";
import { ProcessBackend } from "./process-host";
import type { ScriptedModel } from "./scripted/script";
import { isAlive, ScriptedEntry } from "./test-scripted-process";

const never = new AbortController().signal;
const entry = new ScriptedEntry();
const open: ProcessBackend[] = [];
const logged: string[] = [];
const log = { warn: (line: string) => logged.push(line) };

beforeAll(() => entry.build(), 60_000);

afterEach(async () => {
  for (const backend of open.splice(0)) await backend.close();
  logged.length = 0;
});

afterAll(() => entry.remove());

function start(
  models: Readonly<Record<string, ScriptedModel>>,
  cancelBound = 5_000,
  hangBound = 30_000,
): ProcessBackend {
  const fork = forkInference(log, entry.url, [JSON.stringify(models)]);
  const backend = new ProcessBackend(fork, { cancelBound, hangBound, log });
  open.push(backend);
  return backend;
}

function spec(id: string): ModelSpec {
  return { id, path: `/models/${id}.gguf`, contextLength: null, threads: null, parallel: null, gpu: false };
}

function request(model: string): GenerateRequest {
  return { model, messages: [{ role: "user", text: "Write." }], options: { stop: [], format: { type: "text" } } };
}

const endless: ScriptedModel = { text: "on and on ", endless: true, parallel: 2, contextLength: 1_000_000 };

describeBackend("the scripted backend in a process of its own", async (): Promise<Tested> => {
  const models = {
    writer: { ...endless, text: "One two three 😀 four. ", parallel: 3, contextLength: 4096, delay: 1 },
    broken: { loadFails: "cut" },
  };
  return {
    backend: start(models),
    model: spec("writer"),
    broken: spec("broken"),
    request: request("writer"),
    parallel: 3,
    apart: true,
  };
});

/** Starts to write; resolves once the first text is there. `over` rejects or resolves with the end. */
async function writing(backend: ProcessBackend, model: string, signal = never): Promise<{ over: Promise<void> }> {
  const steps = backend.generate(request(model), signal)[Symbol.asyncIterator]();
  let step: IteratorResult<GenerationStep>;
  do step = await steps.next();
  while (!step.done && step.value.type !== "piece");
  const over = (async () => {
    while (!(await steps.next()).done);
  })();
  over.catch(() => undefined); // awaited later, by the test
  return { over };
}

describe("a real process", () => {
  it.each(["SIGKILL", "SIGSEGV", "SIGABRT"] as const)(
    "lost to %s fails what runs, and the next one serves",
    async (signal) => {
      const backend = start({ m: endless });
      await backend.load(spec("m"), never);
      const { over } = await writing(backend, "m");
      const { pid } = await backend.stats();
      process.kill(pid, signal);
      await expect(over).rejects.toMatchObject({
        problem: { code: "backend_crashed", detail: expect.stringContaining(signal) },
      });
      expect(isAlive(pid)).toBe(false);
      await backend.load(spec("m"), never);
      const caller = new AbortController();
      const again = await writing(backend, "m", caller.signal);
      caller.abort(new Error("enough"));
      await expect(again.over).rejects.toBe(caller.signal.reason);
    },
  );

  it("that leaves with 0 unasked has crashed", async () => {
    const backend = start({ m: { text: "a b c d", crashes: 2, crash: "exit" } });
    await backend.load(spec("m"), never);
    const { over } = await writing(backend, "m");
    await expect(over).rejects.toMatchObject({
      problem: { code: "backend_crashed", detail: expect.stringContaining("exit code 0") },
    });
  });

  it("that crashes while it loads fails the load", async () => {
    const backend = start({ m: { crashes: "load", crash: "SIGSEGV" } });
    await expect(backend.load(spec("m"), never)).rejects.toMatchObject({
      problem: { code: "backend_crashed", detail: expect.stringContaining("SIGSEGV") },
    });
  });

  // B110: a hang is a crash too, of the process that is stopped or of the one whose event loop never turns.
  it.each(["stopped", "busy"] as const)("that hangs is ended, and the next one serves (%s)", async (how) => {
    const models = { busy: { text: "a b c", crashes: 2, crash: "busy" as const }, stopped: endless };
    const backend = start(models, 5_000, 1_000);
    await backend.load(spec(how), never);
    const { pid } = await backend.stats();
    const { over } = await writing(backend, how);
    if (how === "stopped") process.kill(pid, "SIGSTOP");
    await expect(over).rejects.toMatchObject({
      problem: { code: "backend_crashed", detail: expect.stringContaining("stopped answering for 1 second") },
    });
    expect(isAlive(pid)).toBe(false);
    await backend.load(spec("stopped"), never);
    expect((await backend.stats()).pid).not.toBe(pid);
  });

  it("that gets no memory says so, and what to do", async () => {
    const backend = start({ m: { crashes: "load", crash: "memory" } });
    await expect(backend.load(spec("m"), never)).rejects.toMatchObject({
      problem: {
        code: "backend_crashed",
        detail: expect.stringMatching(/SIGABRT\. It ran out of memory\. Use a smaller/),
      },
    });
  });

  it("that does not stop is ended, and the next one serves", async () => {
    const backend = start({ deaf: { ...endless, deaf: true }, m: { text: "fine" } }, 100);
    await backend.load(spec("deaf"), never);
    const { pid } = await backend.stats();
    const caller = new AbortController();
    const { over } = await writing(backend, "deaf", caller.signal);
    caller.abort(new Error("enough"));
    await expect(over).rejects.toBe(caller.signal.reason);
    expect(isAlive(pid)).toBe(false);
    await backend.load(spec("m"), never);
    await (await writing(backend, "m")).over;
  });

  it("is gone once the backend is closed, also amid a text", async () => {
    const backend = start({ m: endless });
    await backend.load(spec("m"), never);
    const { over } = await writing(backend, "m");
    const { pid } = await backend.stats();
    await backend.close();
    expect(isAlive(pid)).toBe(false);
    expect(logged).toEqual([]); // it ended by itself
    await expect(over).rejects.toThrow();
  });

  it("does not mind the signals of the terminal", async () => {
    const backend = start({ m: endless });
    await backend.load(spec("m"), never);
    const { pid } = await backend.stats();
    process.kill(pid, "SIGINT");
    process.kill(pid, "SIGTERM");
    const caller = new AbortController();
    const { over } = await writing(backend, "m", caller.signal);
    expect((await backend.stats()).pid).toBe(pid);
    caller.abort();
    await expect(over).rejects.toThrow();
  });

  it("that cannot be started says so", async () => {
    const missing = forkInference(log, new URL("missing.js", entry.url));
    const backend = new ProcessBackend(missing);
    open.push(backend);
    await expect(backend.load(spec("m"), never)).rejects.toMatchObject({
      problem: { code: "backend_crashed", detail: expect.stringContaining("exit code 1") },
    });
  });

  it("ends when its host is gone before it could listen", async () => {
    const child = fork(entry.path, ["{}"], { serialization: "advanced" });
    const ended = once(child, "exit");
    child.disconnect();
    try {
      await expect(Promise.race([ended, sleep(10_000, "left behind")])).resolves.toEqual([0, null]);
    } finally {
      child.kill("SIGKILL");
    }
  });

  it.each([
    ["amid a text", { ...endless, deaf: true }],
    // Its channel's end cannot reach it.
    ["also when it hangs", { ...endless, crashes: 2, crash: "busy" as const }],
  ])("ends with its host, however that ends, %s", async (_, model) => {
    const load = { type: "load", id: 1, model: spec("m") };
    const generate = { type: "generate", id: 2, request: request("m") };
    const host = `
      const child = require("node:child_process").fork(${JSON.stringify(entry.path)}, [${JSON.stringify(JSON.stringify({ m: model }))}], { serialization: "advanced" });
      child.on("message", ([message]) => {
        if (message.type === "done") child.send(${JSON.stringify(generate)});
        if (message.type === "steps") console.log(child.pid);
      });
      child.send(${JSON.stringify(load)});`;
    const parent = spawn(process.execPath, ["-e", host], { stdio: ["ignore", "pipe", "inherit"] });
    const pid = await new Promise<number>((resolve) => {
      createInterface({ input: parent.stdout }).once("line", (line) => resolve(Number(line)));
    });
    expect(isAlive(pid)).toBe(true);
    parent.kill("SIGKILL");
    try {
      await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
    } finally {
      if (isAlive(pid)) process.kill(pid, "SIGKILL");
    }
  });
});
