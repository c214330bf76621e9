// biome-ignore lint/suspicious/noExplicitAny: what a message holds is what each test looks at.
export type Message = any;

/** The messages of an event stream, as they come. */
export class TestStream implements AsyncDisposable {
  readonly response: Response;
  readonly messages: Message[] = [];
  comments = 0;
  ended = false;
  readonly #abort: AbortController;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #done: Promise<void>;
  #looked = 0;
  #wake: (() => void)[] = [];

  constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    this.#reader = response.body?.getReader();
    this.#done = this.#read();
  }

  /** The next message that passes; those before it are passed over. */
  async next(wanted: (message: Message) => boolean = () => true): Promise<Message> {
    for (;;) {
      for (; this.#looked < this.messages.length; this.#looked += 1) {
        const message = this.messages[this.#looked];
        if (!wanted(message)) continue;
        this.#looked += 1;
        return message;
      }
      if (this.ended) throw new Error(`The stream ended after ${JSON.stringify(this.messages)}`);
      await this.news();
    }
  }

  method(name: string): Promise<Message> {
    return this.next(({ method }) => method === name);
  }

  answer(): Promise<Message> {
    return this.next(({ method }) => method === undefined);
  }

  async end(): Promise<void> {
    await this.#done;
  }

  /** Leaves, as a client whose connection is cut. */
  async drop(): Promise<void> {
    this.#abort.abort();
    // An abort that comes between the last chunk and the end does not reach who reads.
    this.#reader?.cancel().catch(() => undefined);
    await this.#done;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.drop();
  }

  news(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  async #read(): Promise<void> {
    let text = "";
    try {
      const decoder = new TextDecoder();
      for (let next = await this.#reader?.read(); next?.value; next = await this.#reader?.read()) {
        text += decoder.decode(next.value, { stream: true });
        const frames = text.split("\n\n");
        text = frames.pop() ?? "";
        for (const frame of frames) this.#take(frame);
        this.#woken();
      }
      if (text.startsWith("{")) this.messages.push(JSON.parse(text));
    } catch {
      // Dropped, or cut by the server.
    }
    this.ended = true;
    this.#woken();
  }

  #take(frame: string): void {
    const data = /^data: (.*)$/m.exec(frame)?.[1];
    if (data === undefined) this.comments += 1;
    else this.messages.push(JSON.parse(data));
  }

  #woken(): void {
    const wake = this.#wake;
    this.#wake = [];
    for (const one of wake) one();
  }
}
