import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The file is no sound GGUF file; the message continues a sentence that begins with the file's name. */
export class GgufError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "GgufError";
  }
}

const windowBytes = 1 << 18;

/** Reads little-endian values one after the other from a file that may be cut, damaged or hostile. */
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

  u8 = (): number => this.#take(1).readUInt8();
  u32 = (): number => this.#take(4).readUInt32LE();

  /** A length, count or offset. Nothing in a file is larger than the file. */
  count(): number {
    const value = this.#take(8).readBigUInt64LE();
    if (value > BigInt(this.size)) throw new GgufError("is incomplete or damaged: it speaks of more than it holds");
    return Number(value);
  }

  /** A 64-bit number, rounded when it is very large. */
  u64 = (): number => Number(this.#take(8).readBigUInt64LE());

  string(): string {
    const length = this.count();
    if (length > windowBytes) throw new GgufError("is damaged: a name in it is too long");
    return this.#take(length).toString("utf8");
  }

  skip(bytes: number): void {
    if (this.#position + bytes > this.size) throw this.#tooShort();
    this.#position += bytes;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  #take(bytes: number): Buffer {
    if (this.#position + bytes > this.size) throw this.#tooShort();
    if (this.#position < this.#windowStart || this.#position + bytes > this.#windowStart + this.#window.length) {
      this.#fill();
    }
    const start = this.#position - this.#windowStart;
    if (start + bytes > this.#window.length) throw this.#tooShort();
    this.#position += bytes;
    return this.#window.subarray(start, start + bytes);
  }

  #fill(): void {
    const window = Buffer.alloc(Math.min(windowBytes, this.size - this.#position));
    const read = readSync(this.#file, window, 0, window.length, this.#position);
    this.#window = window.subarray(0, read);
    this.#windowStart = this.#position;
  }

  #tooShort(): GgufError {
    return new GgufError(`is incomplete or damaged: it ends after ${this.size} bytes, before all it announces`);
  }
}
