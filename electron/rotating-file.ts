import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, readSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

export interface RotatingFileOptions {
  readonly path: string;
  /** The file begins anew before it grows beyond this. */
  readonly maxBytes: number;
  /** How many older files are kept, as `PATH.1` (the newest) to `PATH.N`. */
  readonly files: number;
  /** Called once when lines cannot be written, until they can again. */
  readonly onTrouble: (error: unknown) => void;
  /** Called when they can, with how many lines had to be dropped meanwhile. */
  readonly onRecovery: (lost: number) => void;
}

/** What waits while the disk is full; what comes after that is dropped and counted. */
const mostWaiting = 1_048_576;

/**
 * A file of lines that only its owner can read, and a few older ones. A line is with the system when `write` returns,
 * so that it outlives a kill of this process; that costs microseconds, and lines are few. Nothing is ever thrown:
 * lines that cannot be written wait for the next `write`. Open from the first line until `close`.
 */
export class RotatingFile {
  readonly #options: RotatingFileOptions;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #lost = 0;
  #failing = false;
  #file: number | undefined;
  #size = 0;
  #limit: number;
  #closed = false;

  constructor(options: RotatingFileOptions) {
    this.#options = options;
    this.#limit = options.maxBytes;
  }

  /** `line` ends with a line break. */
  write(line: string): void {
    if (this.#closed) return;
    this.#keep(Buffer.from(line));
    this.#tryAll();
  }

  close(): void {
    if (this.#waiting.length > 0) this.#tryAll();
    this.#closed = true;
    this.#release();
  }

  #keep(line: Buffer): void {
    if (this.#waitingBytes + line.length > mostWaiting) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
  }

  #tryAll(): void {
    try {
      while (this.#waiting.length > 0) this.#writeFirst();
    } catch (error) {
      if (!this.#failing) this.#options.onTrouble(error);
      this.#failing = true;
      return;
    }
    if (!this.#failing) return;
    this.#failing = false;
    const lost = this.#lost;
    this.#lost = 0;
    this.#options.onRecovery(lost);
  }

  #writeFirst(): void {
    const [line] = this.#waiting;
    if (line === undefined) return;
    this.#file ??= this.#open();
    if (this.#size > 0 && this.#size + line.length > this.#limit) this.#file = this.#rotate();
    const written = writeSync(this.#file, line);
    if (written === 0) throw new Error("The system takes no more of the file");
    this.#size += written;
    this.#waitingBytes -= written;
    // A disk that is nearly full takes the beginning of a line; the rest follows.
    if (written < line.length) this.#waiting[0] = line.subarray(written);
    else this.#waiting.shift();
  }

  #open(): number {
    mkdirSync(dirname(this.#options.path), { recursive: true, mode: 0o700 });
    const file = openSync(this.#options.path, "a+", 0o600);
    fchmodSync(file, 0o600);
    this.#size = fstatSync(file).size;
    // A crash, or a full disk, may have cut the last line.
    if (this.#size > 0 && !endsLine(file, this.#size)) this.#size += writeSync(file, "\n");
    return file;
  }

  /** From the oldest on, so that a crash between two steps loses none but the oldest. */
  #rotate(): number {
    const { path, files, maxBytes } = this.#options;
    this.#release();
    try {
      for (let number = files; number > 0; number -= 1)
        renameIfThere(number === 1 ? path : `${path}.${number - 1}`, `${path}.${number}`);
      this.#limit = maxBytes;
    } catch {
      // Another program may hold one of them: this file goes on, and the next try comes after as much again.
      this.#limit = this.#size + maxBytes;
    }
    return this.#open();
  }

  #release(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

function endsLine(file: number, size: number): boolean {
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last.toString() === "\n";
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}
