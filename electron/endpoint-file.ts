import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "./engine/clock";

/** Milliseconds until a file that could not be written is tried again. */
const writeAgainAfter = 2_000;

/** What another program on this machine needs in order to call; `DIR/endpoint.json`, readable by its owner only. */
export interface Endpoint {
  /** `http://127.0.0.1:PORT`, no trailing slash. */
  readonly url: string;
  readonly lmsp: string;
  readonly mcp: string;
  /** The token of the client `local`. */
  readonly token: string;
  /** A token for each client that was named at the start. */
  readonly clients: Readonly<Record<string, string>>;
  readonly pid: number;
  readonly version: string;
}

export interface EndpointFileParts {
  readonly folder: string;
  readonly endpoint: Endpoint;
  readonly clock: Clock;
  /** Told in a sentence when the file cannot be written, once. */
  readonly warn: (text: string) => void;
}

/** The file of one host: not there yet, for as long as it cannot be written; there; gone, for good. */
export class EndpointFile {
  readonly #parts: EndpointFileParts;
  readonly #path: string;
  #hasWarned = false;
  #stopTrying: () => void = () => undefined;

  constructor(parts: EndpointFileParts) {
    this.#parts = parts;
    this.#path = join(parts.folder, "endpoint.json");
  }

  /** Writes it, now or as soon as that is possible: the host is of use to whoever knows its address already. */
  write(): void {
    try {
      writeWhole(this.#path, `${JSON.stringify(this.#parts.endpoint, null, 2)}\n`);
    } catch (error) {
      this.#warn(error);
      this.#stopTrying = this.#parts.clock.after(writeAgainAfter, () => this.write());
    }
  }

  /** Removes it, unless another host has written its own since. */
  remove(): void {
    this.#stopTrying();
    try {
      if (JSON.parse(readFileSync(this.#path, "utf8")).token === this.#parts.endpoint.token) rmSync(this.#path);
    } catch {
      // Gone or unreadable already: nobody can be misled by it any more.
    }
  }

  #warn(error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.#parts.warn(
      `Simmer listens on ${this.#parts.endpoint.url}, but ${this.#path}, where other programs find its token, cannot be ` +
        `written (${reason}). It is tried again every few seconds.`,
    );
  }
}

/** Written beside and renamed, so that no reader ever sees half of it. */
function writeWhole(path: string, text: string): void {
  // Always under the same name: a draft that a killed host left is replaced, not kept.
  const draft = `${path}.tmp`;
  try {
    rmSync(draft, { force: true });
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
