import { MessageChannel } from "node:worker_threads";
import type { TestClock } from "../engine/test-clock";
import { messagePort } from "./channel/message-port";
import type { Port } from "./channel/port";
import { serveBackend } from "./channel/serve-backend";
import type { InferenceProcess, ProcessExit } from "./inference-process";
import type { ScriptedModel } from "./scripted/script";
import { ScriptedBackend } from "./scripted/scripted-backend";

/** A process that lives in this one; it ends when the test says so, or when it is killed. It may be stopped meanwhile. */
export class FakeProcess implements InferenceProcess {
  readonly port: Port;
  readonly script: ScriptedBackend;
  readonly served: Port;
  #onExit: (exit: ProcessExit) => void = () => undefined;
  #gone = false;
  #keepsOn = false;
  /** What it will hear and say when it goes on. */
  #stopped: (() => void)[] | undefined;

  constructor(models: Readonly<Record<string, ScriptedModel>>, clock: TestClock) {
    const { port1, port2 } = new MessageChannel();
    this.port = messagePort(port1);
    const end = messagePort(port2);
    this.served = {
      ...end,
      post: (message) => this.#do(() => end.post(message)),
      onMessage: (listener) => end.onMessage((message) => this.#do(() => listener(message))),
    };
    const crash = () => this.exit({ code: null, signal: "SIGSEGV" });
    this.script = new ScriptedBackend({ models, clock, crash });
    serveBackend(this.script, this.served, () => undefined);
    this.port.onClose(() => {
      if (!this.#keepsOn) this.exit({ code: 0, signal: null });
    });
  }

  kill(): void {
    this.exit({ code: null, signal: "SIGKILL" });
  }

  onStart(listener: (pid: number) => void): void {
    listener(4711);
  }

  onExit(listener: (exit: ProcessExit) => void): void {
    this.#onExit = listener;
  }

  stop(): void {
    this.#stopped = [];
  }

  get isGone(): boolean {
    return this.#gone;
  }

  /** As if it went on without its host. */
  closeChannel(): void {
    this.#keepsOn = true;
    this.served.close();
  }

  goOn(): void {
    const waiting = this.#stopped ?? [];
    this.#stopped = undefined;
    for (const work of waiting) work();
  }

  #do(work: () => void): void {
    if (this.#stopped === undefined) work();
    else this.#stopped.push(work);
  }

  exit(exit: ProcessExit): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#onExit(exit);
    this.served.close();
  }
}

/** Everything that can run without time passing has run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Time passes while this process is awake: it hears what there is to hear. */
export async function pass(clock: TestClock, milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 500) {
    await settled();
    clock.advance(Math.min(left, 500));
  }
  await settled();
}
