/** A GGUF file in memory, as `readGguf` gives it to tests that need a model with other metadata. */
export interface Gguf {
  /** Changes a 32-bit number that the file has. */
  setNumber(key: string, value: number): void;
  /** Changes a text that the file has. */
  setText(key: string, value: string): void;
  /** The whole file, with the tensors as they were. */
  file(): Buffer;
}

export function readGguf(file: Buffer): Gguf;
