import { describe, expect, it } from "vitest";
import type { GenerateRequest, GenerationStep, ModelSpec } from "../../engine/backend";
import { TestClock } from "../../engine/test-clock";
import { describeBackend, type Tested } from "../contract";
import type { ScriptedModel } from "./script";
import { ScriptedBackend } from "./scripted-backend";

describeBackend("the scripted backend", async (): Promise<Tested> => {
  const backend = new ScriptedBackend({
    models: { writer: { text: "One two three 😀 four. ", endless: true, parallel: 3 }, broken: { loadFails: "cut" } },
  });
  return {
    backend,
    model: spec("writer"),
    broken: spec("broken"),
    request: request("writer"),
    parallel: 3,
    apart: false,
  };
});

const never = new AbortController().signal;

function spec(id: string): ModelSpec {
  return { id, path: `/models/${id}.gguf`, contextLength: null, threads: null, parallel: null, gpu: false };
}

function request(model: string, text = "Write."): GenerateRequest {
  return { model, messages: [{ role: "user", text }], options: { stop: [], format: { type: "text" } } };
}

async function textOf(steps: AsyncIterable<GenerationStep>): Promise<string> {
  let text = "";
  for await (const step of steps) if (step.type === "piece") text += step.text;
  return text;
}

async function loaded(script: ScriptedModel, clock = new TestClock()): Promise<ScriptedBackend> {
  const backend = new ScriptedBackend({ models: { m: script }, clock });
  await backend.load(spec("m"), never);
  return backend;
}

/** Whether it is still open after everything that could run has run. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  let open = true;
  const settle = () => {
    open = false;
  };
  promise.then(settle, settle);
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  return open;
}

describe("a script", () => {
  it("writes its text, its tokens, or an answer to the request", async () => {
    expect(await textOf((await loaded({ text: "Hello there." })).generate(request("m"), never))).toBe("Hello there.");
    const bytes = await loaded({
      tokens: [
        [0xf0, 0x9f],
        [0x98, 0x80],
      ],
    });
    expect(await textOf(bytes.generate(request("m"), never))).toBe("😀");
    const echo = await loaded({ answer: ({ messages }) => messages.map(({ text }) => text).join() });
    expect(await textOf(echo.generate(request("m", "Echo!"), never))).toBe("Echo!");
  });

  it("waits for the test before each token, if it holds them", async () => {
    const backend = await loaded({ text: "a b c", hold: ["tokens"] });
    const steps = backend.generate(request("m"), never)[Symbol.asyncIterator]();
    expect((await steps.next()).value).toMatchObject({ type: "reading" });
    backend.release(2);
    expect((await steps.next()).value).toMatchObject({ text: "a" });
    expect((await steps.next()).value).toMatchObject({ text: " b" });
    const third = steps.next();
    expect(await isOpen(third)).toBe(true);
    backend.release(1);
    expect((await third).value).toMatchObject({ text: " c" });
  });

  it("waits for the test while it loads and while it reads, and can be aborted there", async () => {
    const backend = new ScriptedBackend({ models: { m: { hold: ["load", "reading"] } } });
    const caller = new AbortController();
    const load = backend.load(spec("m"), caller.signal);
    expect(await isOpen(load)).toBe(true);
    caller.abort(new Error("enough"));
    await expect(load).rejects.toBe(caller.signal.reason);
    const again = backend.load(spec("m"), never);
    backend.finishLoad();
    await again;
    const reader = new AbortController();
    const text = textOf(backend.generate(request("m"), reader.signal));
    expect(await isOpen(text)).toBe(true);
    reader.abort(new Error("no more"));
    await expect(text).rejects.toBe(reader.signal.reason);
    expect(await backend.stats()).toMatchObject({ generating: 0, readTokens: 0, loads: 2 });
  });

  it("takes the time that it says, on the clock", async () => {
    const clock = new TestClock();
    const backend = await loaded({ text: "a b", delay: 100 }, clock);
    const text = textOf(backend.generate(request("m"), never));
    expect(await isOpen(text)).toBe(true);
    for (let token = 0; token < 3; token++) {
      clock.advance(100);
      await isOpen(text);
    }
    expect(await text).toBe("a b");
  });

  it("fails everything that is open when it crashes, and is empty afterwards", async () => {
    const backend = new ScriptedBackend({
      models: { m: { text: "a b c", crashes: 2 }, other: { endless: true, text: "on " } },
    });
    await backend.load(spec("m"), never);
    await backend.load(spec("other"), never);
    const other = textOf(backend.generate(request("other"), never));
    const crashed = textOf(backend.generate(request("m"), never));
    for (const text of [crashed, other]) {
      await expect(text).rejects.toMatchObject({ problem: { code: "backend_crashed" } });
    }
    expect(await backend.stats()).toMatchObject({ generating: 0, loaded: [] });
    expect((await backend.load(spec("other"), never)).id).toBe("other");
  });

  it("crashes while it loads", async () => {
    const backend = new ScriptedBackend({ models: { m: { crashes: "load" } } });
    await expect(backend.load(spec("m"), never)).rejects.toMatchObject({ problem: { code: "backend_crashed" } });
  });

  it("does not hear its caller when it is deaf", async () => {
    const backend = await loaded({ text: "a b", hold: ["tokens"], deaf: true });
    const caller = new AbortController();
    const text = textOf(backend.generate(request("m"), caller.signal));
    caller.abort();
    expect(await isOpen(text)).toBe(true);
    backend.release(3);
    expect(await text).toBe("a b");
  });

  it("lets the next one wait for a slot", async () => {
    const backend = await loaded({ text: "a", hold: ["tokens"], parallel: 1 });
    const first = textOf(backend.generate(request("m"), never));
    const second = textOf(backend.generate(request("m"), never));
    backend.release(2);
    expect(await first).toBe("a");
    expect(await isOpen(second)).toBe(true);
    backend.release(2);
    expect(await second).toBe("a");
  });
});
