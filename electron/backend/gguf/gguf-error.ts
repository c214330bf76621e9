/** A file cannot be loaded. The message continues a sentence that begins with the file's name; `advice` follows it. */
export class GgufError extends Error {
  readonly advice: string;

  constructor(message: string, advice: string) {
    super(message);
    this.name = "GgufError";
    this.advice = advice;
  }
}

/** It ends too early, as half a download does. */
export function incomplete(size: number, needed: number | bigint): GgufError {
  return new GgufError(`is incomplete: it has ${size} bytes and needs ${needed}`, "Download it again.");
}

/** What it says contradicts itself, or cannot be. */
export function damaged(reason: string): GgufError {
  return new GgufError(`is damaged: ${reason}`, "Download it again.");
}

/** It may well be sound, and still nothing that runs here. */
export function unsupported(reason: string): GgufError {
  return new GgufError(reason, "Choose another model.");
}
