/** The frames of an event stream, one after the other, each with the blank line that ends it. */
export class EventFrames {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  /** Undefined at the end of the stream. */
  async next(): Promise<string | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n\n") + 2;
      if (end >= 2) {
        const frame = this.#text.slice(0, end);
        this.#text = this.#text.slice(end);
        return frame;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  async close(): Promise<void> {
    await this.#reader.cancel();
  }
}

/** A frame as the SDK writes them. */
export function messageFrame(message: object): string {
  return `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;
}

/** The JSON of a frame that has one line of data. */
export function messageOf(frame: string): unknown {
  return JSON.parse(/^data: ?(.*)$/m.exec(frame)?.[1] ?? "null");
}
