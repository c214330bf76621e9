import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { damaged, GgufError } from "./gguf-error";

const windowBytes = 1 << 18;

/**
 * Reads little-endian values from a file that may be cut, damaged or hostile. What it holds in memory is one window of
 * the file, whatever lengths the file speaks of.
 */
export class GgufReader {
  readonly size: number;
  readonly #file: number;
  #position = 0;
  #window = Buffer.alloc(0);
  #windowStart = 0;

  constructor(path: string) {
    this.#file = openSync(path, "r");
    this.size = fstatSync(this.#file).size;
  }

  get position(): number {
    return this.#position;
  }

  /** Goes to a place that was read before. */
  seek(position: number): void {
    this.#position = position;
  }

  u32 = (): number => this.take(4).readUInt32LE();

  /** A 64-bit number, rounded when it is very large: it then is larger than any file in any case. */
  u64(): number {
    const bytes = this.take(8);
    return bytes.readUInt32LE(4) * 2 ** 32 + bytes.readUInt32LE(0);
  }

  /** How many things follow, each of at least `bytes`: what the rest of the file cannot hold is an error. */
  count(bytes: number): number {
    const value = this.u64();
    if (value > (this.size - this.#position) / bytes) throw this.#tooShort(this.#position + value * bytes);
    return value;
  }

  /** Text of up to `most` bytes, one character a byte, so that it can be compared exactly. */
  bytes(most: number): string {
    const length = this.count(1);
    if (length > most) throw damaged(`a name in it has ${length} bytes, where ${most} are allowed`);
    return this.take(length).toString("latin1");
  }

  skip(bytes: number): void {
    if (this.#position + bytes > this.size) throw this.#tooShort(this.#position + bytes);
    this.#position += bytes;
  }

  /** The next bytes, at most a window of them; theirs until the next read. */
  take(bytes: number): Buffer {
    if (this.#position < this.#windowStart || this.#position + bytes > this.#windowStart + this.#window.length) {
      this.#fill();
    }
    const start = this.#position - this.#windowStart;
    // It ends here, or has become shorter since it was opened.
    if (start + bytes > this.#window.length) throw this.#tooShort(this.#position + bytes);
    this.#position += bytes;
    return this.#window.subarray(start, start + bytes);
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  #fill(): void {
    const window = Buffer.alloc(Math.min(windowBytes, this.size - this.#position));
    const read = readSync(this.#file, window, 0, window.length, this.#position);
    this.#window = window.subarray(0, read);
    this.#windowStart = this.#position;
  }

  /** In the middle of a header nobody can tell a cut file from one with a wrong length in it. */
  #tooShort(needed: number): GgufError {
    const reason = `is incomplete or damaged: it has ${this.size} bytes and needs at least ${BigInt(needed)}`;
    return new GgufError(reason, "Download it again.");
  }
}
