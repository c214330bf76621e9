import type { Port } from "./channel/port";

/** A process that serves a backend, as its host sees it. */
export interface InferenceProcess {
  readonly port: Port;
  /** Ends it at once, whatever it does. */
  kill(): void;
  /** Called once, with its number, when the system has started it. */
  onStart(listener: (pid: number) => void): void;
  /** Called once, when it is gone or could not be started. */
  onExit(listener: (exit: ProcessExit) => void): void;
}

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not be started. */
  readonly error?: Error;
  /** The last lines that it printed. */
  readonly lastWords?: string;
}

/** "signal SIGSEGV", "exit code 1": what to say of an exit. */
export function exitText({ code, signal, error }: ProcessExit): string {
  if (error !== undefined) return error.message;
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}
