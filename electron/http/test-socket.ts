import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { HttpApp } from "./app";
import { listen } from "./server";

/** A raw connection to a server, for what no HTTP client would send. */
export class TestSocket implements AsyncDisposable {
  readonly socket: Socket;
  readonly port: number;
  #received = "";

  private constructor(socket: Socket, port: number) {
    this.socket = socket;
    this.port = port;
    socket.setEncoding("utf8").on("data", (text: string) => {
      this.#received += text;
    });
    socket.on("error", () => undefined); // a reset is one way to be closed
  }

  /** Binds the server to any free port, unless it is bound, and connects. */
  static async to(app: HttpApp): Promise<TestSocket> {
    if (!app.server.listening) await listen(app, 0);
    const address = app.server.address();
    if (address === null || typeof address === "string") throw new Error("The server has no port");
    const socket = connect(address.port, "127.0.0.1");
    await once(socket, "connect");
    return new TestSocket(socket, address.port);
  }

  get received(): string {
    return this.#received;
  }

  /** The head of a request by the client `local`, then whatever `rest` is. */
  request(method: string, path: string, headers: readonly string[] = [], rest = ""): this {
    const head = [
      `${method} ${path} HTTP/1.1`,
      `host: 127.0.0.1:${this.port}`,
      "authorization: Bearer secret",
      ...headers,
    ];
    this.socket.write(`${head.join("\r\n")}\r\n\r\n${rest}`);
    return this;
  }

  async until(text: string | RegExp): Promise<string> {
    for (;;) {
      if (typeof text === "string" ? this.#received.includes(text) : text.test(this.#received)) return this.#received;
      if (this.socket.destroyed) throw new Error(`Closed after ${JSON.stringify(this.#received)}`);
      await this.#news();
    }
  }

  /** Everything up to the end of the connection. */
  async rest(): Promise<string> {
    if (!this.socket.destroyed) await once(this.socket, "close");
    return this.#received;
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      const heard = () => {
        this.socket.off("data", heard).off("close", heard);
        resolve();
      };
      this.socket.on("data", heard).on("close", heard);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.destroy();
    await this.rest();
  }
}
