import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BackendReplacedError, type GenerateRequest, type ModelSpec } from "../engine/backend";
import { TestClock } from "../engine/test-clock";
import { AsideFile } from "./aside-file";
import type { ProcessExit } from "./inference-process";
import { ProcessBackend, type ProcessBackendOptions } from "./process-host";
import type { ScriptedModel } from "./scripted/script";
import { FakeProcess, pass, settled } from "./test-process";

const never = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), "simmer-supervision-"));
const log = { warn: (line: string) => logged.push(line) };

let clock: TestClock;
let processes: FakeProcess[];
let logged: string[];
let models: Record<string, ScriptedModel>;
let open: ProcessBackend[];
let backend: ProcessBackend;

function start(options: ProcessBackendOptions = {}): ProcessBackend {
  const spawn = () => {
    const process = new FakeProcess(models, clock);
    processes.push(process);
    return process;
  };
  const started = new ProcessBackend(spawn, { clock, log, systemKills: () => 0, ...options });
  open.push(started);
  return started;
}

beforeEach(() => {
  mkdirSync(folder, { recursive: true });
  clock = new TestClock();
  processes = [];
  logged = [];
  open = [];
  models = { m: { text: "one two" }, held: { text: "a b c", hold: ["tokens"], parallel: 2 }, slow: { hold: ["load"] } };
  backend = start();
});

afterEach(async () => {
  for (const process of processes) process.goOn();
  await Promise.all(open.map((one) => one.close()));
  rmSync(folder, { recursive: true, force: true });
});

function spec(id: string, more: Partial<ModelSpec> = {}): ModelSpec {
  const path = join(folder, `${id}.gguf`);
  return { id, path, contextLength: null, threads: null, parallel: null, gpu: false, ...more };
}

async function written(model: string, signal = never): Promise<string> {
  const request: GenerateRequest = {
    model,
    messages: [{ role: "user", text: "Write." }],
    options: { stop: [], format: { type: "text" } },
  };
  let text = "";
  for await (const step of backend.generate(request, signal)) if (step.type === "piece") text += step.text;
  return text;
}

describe("a process that answers nothing any more", () => {
  // The numbers of the contract; B110.
  it("is ended after the bound, which is a crash for what it did", async () => {
    await backend.load(spec("held"), never);
    const texts = [written("held"), written("held")].map((text) => text.catch((error: unknown) => error));
    await settled();
    processes[0]?.stop();
    await pass(clock, 30_000);
    expect(processes[0]?.isGone).toBe(false);
    await pass(clock, 3_000);
    for (const error of await Promise.all(texts)) {
      expect(error).toMatchObject({
        problem: { code: "backend_crashed", detail: expect.stringContaining("stopped answering for 30 seconds") },
      });
      expect(error).not.toBeInstanceOf(BackendReplacedError);
    }
    expect(processes[0]?.isGone).toBe(true);
  });

  it("is found also while nobody asks it anything, and the next waits as after a crash", async () => {
    await backend.load(spec("m"), never);
    processes[0]?.stop();
    await pass(clock, 33_000);
    expect(processes[0]?.isGone).toBe(true);
    const again = backend.load(spec("m"), never);
    await pass(clock, 999);
    expect(processes).toHaveLength(1);
    await pass(clock, 1);
    await again;
    expect(processes).toHaveLength(2);
  });

  it("is one that cannot be stopped either", async () => {
    await backend.load(spec("held"), never);
    const caller = new AbortController();
    const text = written("held", caller.signal).catch((error: unknown) => error);
    await settled();
    processes[0]?.stop();
    caller.abort(new Error("enough"));
    await pass(clock, 5_000);
    expect(await text).toBe(caller.signal.reason);
  });

  it("is no fault of a model that was loaded before, whoever asks for it meanwhile", async () => {
    await backend.load(spec("m"), never);
    processes[0]?.stop();
    const again = backend.load(spec("m"), never).catch((error: unknown) => error);
    await pass(clock, 33_000);
    expect(await again).toMatchObject({ problem: { code: "backend_crashed" } });
    models.m = { crashes: "load" };
    for (let time = 0; time < 2; time++) {
      clock.advance(30_000);
      await backend.load(spec("m"), never).catch(() => undefined);
    }
    expect(backend.aside.reasonOf(spec("m"))).toBeNull(); // these were two
  });

  it("counts among the crashes at loading", async () => {
    for (let time = 0; time < 3; time++) {
      const loading = backend.load(spec("slow"), never).catch((error: unknown) => error);
      await pass(clock, 30_000);
      processes.at(-1)?.stop();
      await pass(clock, 33_000);
      await loading;
    }
    await expect(backend.load(spec("slow"), never)).rejects.toMatchObject({
      problem: { code: "model_load_failed", detail: expect.stringContaining("stopped answering") },
    });
  });
});

describe("a process that answers late", () => {
  it("is left alone when it was silent for less than the bound, however often", async () => {
    await backend.load(spec("m"), never);
    for (let time = 0; time < 5; time++) {
      processes[0]?.stop();
      await pass(clock, 29_000);
      processes[0]?.goOn();
      await pass(clock, 3_000);
    }
    expect(await written("m")).toBe("one two");
    expect(processes).toHaveLength(1);
  });

  it("is not blamed for the sleep of the machine, or of this process", async () => {
    await backend.load(spec("m"), never);
    for (let night = 0; night < 50; night++) {
      processes[0]?.stop();
      clock.advance(8 * 3_600_000); // all at once: nothing runs meanwhile
      processes[0]?.goOn();
      await settled();
    }
    expect(await written("m")).toBe("one two");
    expect(processes).toHaveLength(1);
    expect(logged).toEqual([]);
  });

  it("is not replaced for a stop that it made while this process slept", async () => {
    await backend.load(spec("held"), never);
    const caller = new AbortController();
    const text = written("held", caller.signal).catch((error: unknown) => error);
    await settled();
    caller.abort(new Error("enough"));
    clock.advance(3_600_000);
    expect(await text).toBe(caller.signal.reason);
    await pass(clock, 10_000);
    await backend.load(spec("held"), never);
    expect(processes).toHaveLength(1);
  });
});

describe("a process that the system ends", () => {
  let systemKills: number;

  async function detailOf(exit: ProcessExit, killsMeanwhile = 0): Promise<string> {
    systemKills = 7; // of long ago
    backend = start({ systemKills: () => systemKills });
    await backend.load(spec("held"), never);
    const text = written("held").catch((error: unknown) => error);
    await settled();
    systemKills += killsMeanwhile;
    processes.at(-1)?.exit(exit);
    return String(await text);
  }

  it("for want of memory is told as such, with what to do", async () => {
    const detail = await detailOf({ code: null, signal: "SIGKILL" }, 1);
    expect(detail).toMatch(/SIGKILL.*because memory ran out.*smaller model.*smaller context/);
  });

  it.each([
    { code: null, signal: "SIGKILL" },
    { code: 137, signal: null },
    { code: 0xe0000008 - 2 ** 32, signal: null },
  ])("without a word probably lacked memory (%j)", async (exit) => {
    expect(await detailOf(exit)).toMatch(/as the system does when memory runs out.*smaller context/);
  });

  it.each([
    "terminate called after throwing an instance of 'std::bad_alloc'",
    "llama.cpp error: ggml_backend_cuda_buffer_type_alloc_buffer: cudaMalloc failed: out of memory",
    "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
  ])("lacked memory when it said so: %s", async (words) => {
    const lastWords = `one line\n${words}\n  what():  more`;
    expect(await detailOf({ code: null, signal: "SIGABRT", lastWords })).toMatch(
      /SIGABRT\. It ran out of memory\. Use/,
    );
  });

  it("for another reason is told by its signal alone", async () => {
    const exit = { code: null, signal: "SIGSEGV", lastWords: "llama.cpp warn: something" };
    expect(await detailOf(exit, 1)).toMatch(/unexpectedly: signal SIGSEGV\.$/);
  });

  it("was ended by us when it hung, whatever memory there was", async () => {
    backend = start({ systemKills: () => clock.now() });
    await backend.load(spec("held"), never);
    const text = written("held").catch((error: unknown) => error);
    await settled();
    processes.at(-1)?.stop();
    await pass(clock, 33_000);
    expect(String(await text)).not.toContain("memory");
  });
});

describe("after a crash", () => {
  // B110: restarted once; B53: no endless respawn.
  it("one process starts, when it is needed, for all who need it", async () => {
    await backend.load(spec("m"), never);
    processes[0]?.exit({ code: null, signal: "SIGABRT" });
    await pass(clock, 600_000);
    expect(processes).toHaveLength(1);
    await Promise.all([1, 2, 3].map(() => backend.load(spec("m"), never)));
    expect(await written("m")).toBe("one two");
    expect(processes).toHaveLength(2);
    await pass(clock, 600_000);
    expect(processes).toHaveLength(2);
  });

  it("a process that closes its channel and stays is ended, and said so", async () => {
    await backend.load(spec("held"), never);
    const text = written("held").catch((error: unknown) => error);
    await settled();
    processes[0]?.closeChannel();
    await settled();
    expect(processes[0]?.isGone).toBe(false);
    await pass(clock, 1_000);
    expect(String(await text)).toContain("channel to the inference process is closed");
  });

  it("how it ended is said, not that its channel closed before", async () => {
    await backend.load(spec("held"), never);
    const text = written("held").catch((error: unknown) => error);
    await settled();
    processes[0]?.closeChannel();
    await settled();
    processes[0]?.exit({ code: null, signal: "SIGSEGV" });
    expect(String(await text)).toMatch(/unexpectedly: signal SIGSEGV\.$/);
    await pass(clock, 2_000);
  });
});

describe("the note of the process", () => {
  it("is there as long as the process, however that ends", async () => {
    const notes: (number | null)[] = [];
    backend = start({ record: { note: (pid) => notes.push(pid), clear: () => notes.push(null) } });
    await backend.load(spec("m"), never);
    expect(notes).toEqual([4711]);
    processes.at(-1)?.exit({ code: 1, signal: null });
    expect(notes).toEqual([4711, null]);
    clock.advance(1_000);
    await backend.load(spec("m"), never);
    await backend.close();
    expect(notes).toEqual([4711, null, 4711, null]);
  });
});

describe("a model that is put aside", () => {
  const killer = () => spec("killer");

  beforeEach(async () => {
    models.killer = { crashes: "load" };
    backend = start({ aside: new AsideFile(folder, log) });
    writeFileSync(killer().path, "a model");
    for (let time = 0; time < 3; time++) {
      expect(backend.aside.reasonOf(killer())).toBeNull();
      const loading = backend.load(killer(), never);
      clock.advance(30_000);
      await expect(loading).rejects.toMatchObject({ problem: { code: "backend_crashed" } });
    }
    models.killer = { text: "tamed" };
  });

  const refused = {
    problem: { code: "model_load_failed", detail: expect.stringMatching(/"killer" .*put aside.*signal SIGSEGV/) },
  };
  const restarted = () => start({ aside: new AsideFile(folder, log) });

  it("stays aside at a restart, with its reason", async () => {
    await expect(backend.load(killer(), never)).rejects.toMatchObject(refused);
    backend = restarted();
    expect(backend.aside.reasonOf(killer())).toMatch(/3 times within ten minutes/);
    await expect(backend.load(killer(), never)).rejects.toMatchObject(refused);
    await backend.load(spec("m"), never);
  });

  it("is loaded again once a person says so, and stays so at a restart", async () => {
    backend.aside.forgive("killer");
    expect(backend.aside.reasonOf(killer())).toBeNull();
    backend = restarted();
    await backend.load(killer(), never);
    expect(await written("killer")).toBe("tamed");
  });

  it.each([
    ["another file", () => writeFileSync(killer().path, "a better model"), {}],
    ["other settings", () => undefined, { contextLength: 2048 }],
  ])("is loaded again once a person gives it %s", async (_, change, settings) => {
    change();
    clock.advance(30_000);
    await backend.load(spec("killer", settings), never);
    expect(backend.aside.reasonOf(killer())).toBeNull();
  });

  it("is not when what was kept of it cannot be read, which is logged", async () => {
    writeFileSync(join(folder, "models-aside.json"), "\0\0\0");
    backend = restarted();
    await backend.load(killer(), never);
    expect(logged.at(-1)).toContain("could not be read");
  });
});
