import childProcess from "node:child_process";
import { EventEmitter } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";
import { z } from "zod";

/**
 * node-llama-cpp tries its native binding in a process of its own before it trusts it with this one, and forks that as
 * Node. A packaged app's binary does not run as Node, so the host is asked to fork it, the way Electron does.
 */

const id = z.number().int();
const toHost = z.object({
  probe: z.discriminatedUnion("type", [
    z.object({ type: z.literal("fork"), id, file: z.string() }),
    z.object({ type: z.literal("send"), id, message: z.unknown() }),
    z.object({ type: z.literal("kill"), id }),
  ]),
});
const toProcess = z.object({
  probe: z.discriminatedUnion("type", [
    z.object({ type: z.literal("message"), id, message: z.unknown() }),
    z.object({ type: z.literal("exit"), id, code: z.number() }),
  ]),
});

/** The one program that is forked for the library. */
const program = "testBindingBinary.js";

export function isProbe(message: unknown): boolean {
  return typeof message === "object" && message !== null && "probe" in message;
}

interface Channel {
  postMessage(message: unknown): void;
}

/** In the inference process: from here on `fork` asks the host. */
export function forkThroughHost(
  host: Channel & { on(event: "message", listener: (event: { readonly data: unknown }) => void): void },
): void {
  const probes = new Map<number, Probe>();
  host.on("message", ({ data }) => {
    const told = toProcess.safeParse(data);
    if (told.success) probes.get(told.data.probe.id)?.hear(told.data.probe);
  });
  const fork = (file: string) => {
    const probe = new Probe(host, probes.size, file);
    probes.set(probes.size, probe);
    return probe;
  };
  Object.assign(childProcess, { fork });
  syncBuiltinESMExports();
}

/** What the library uses of a `ChildProcess`. */
class Probe extends EventEmitter {
  exitCode: number | null = null;
  killed = false;
  readonly #host: Channel;
  readonly #id: number;

  constructor(host: Channel, id: number, file: string) {
    super();
    this.#host = host;
    this.#id = id;
    host.postMessage({ probe: { type: "fork", id, file } });
  }

  hear(told: z.output<typeof toProcess>["probe"]): void {
    if (told.type === "message") this.emit("message", told.message);
    else {
      this.exitCode = told.code;
      this.emit("exit", told.code);
    }
  }

  send(message: unknown): boolean {
    this.#host.postMessage({ probe: { type: "send", id: this.#id, message } });
    return true;
  }

  kill(): boolean {
    this.killed = true;
    this.#host.postMessage({ probe: { type: "kill", id: this.#id } });
    return true;
  }
}

/** What the host uses of Electron's `UtilityProcess`. */
export interface ForkedProbe extends Channel {
  on(event: "message", listener: (message: unknown) => void): unknown;
  on(event: "exit", listener: (code: number) => void): unknown;
  kill(): boolean;
}

/** In the host: forks what the inference process asks for, and passes on what both say. Ends what is left with `close`. */
export class Probes {
  readonly #process: Channel;
  readonly #fork: (file: string, env: NodeJS.ProcessEnv) => ForkedProbe;
  readonly #probes = new Map<number, ForkedProbe>();

  constructor(process: Channel, fork: (file: string, env: NodeJS.ProcessEnv) => ForkedProbe) {
    this.#process = process;
    this.#fork = fork;
  }

  hear(message: unknown): void {
    const { probe } = toHost.parse(message);
    if (probe.type === "fork") this.#start(probe.id, probe.file);
    else if (probe.type === "send") this.#probes.get(probe.id)?.postMessage(probe.message);
    else this.#probes.get(probe.id)?.kill();
  }

  close(): void {
    for (const probe of this.#probes.values()) probe.kill();
  }

  #start(id: number, file: string): void {
    if (basename(file) !== program) throw new Error(`The inference process asked for another program: ${file}`);
    const probe = this.#fork(file, { ...process.env, TEST_BINDING_CP: "true" });
    this.#probes.set(id, probe);
    probe.on("message", (message) => this.#process.postMessage({ probe: { type: "message", id, message } }));
    probe.on("exit", (code) => {
      this.#probes.delete(id);
      this.#process.postMessage({ probe: { type: "exit", id, code } });
    });
  }
}
