import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Stands before a host for clients that have no token: it adds one, and passes on everything else as it came, Host and
 * Origin too. Only where they name the relay they name the host then, which answers to no port but its own.
 */
export class Relay implements AsyncDisposable {
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;

  private constructor(server: ReturnType<typeof createServer>, url: string) {
    this.#server = server;
    this.url = url;
  }

  /** `target` is the host's URL without a path. */
  static async start(target: string, token: string): Promise<Relay> {
    const host = new URL(target);
    const server = createServer((incoming, outgoing) => relay(incoming, outgoing, host, token));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Relay(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

function relay(incoming: IncomingMessage, outgoing: ServerResponse, host: URL, token: string): void {
  const onward = request({
    host: host.hostname,
    port: host.port,
    method: incoming.method,
    path: incoming.url,
    setHost: false,
    headers: [...headersFor(incoming, host), "Authorization", `Bearer ${token}`],
  });
  onward.on("response", (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    outgoing.flushHeaders();
    answer.pipe(outgoing);
    answer.on("error", () => outgoing.destroy());
  });
  onward.on("error", () => outgoing.destroy());
  // Who goes away on one side is gone on the other.
  outgoing.on("close", () => onward.destroy());
  incoming.pipe(onward);
}

function headersFor({ rawHeaders, socket }: IncomingMessage, host: URL): string[] {
  const own = new RegExp(`^((?:http://)?(?:127\\.0\\.0\\.1|localhost|\\[::1\\])):${socket.localPort}$`, "i");
  return rawHeaders.map((text, index) =>
    index % 2 === 1 && /^(host|origin)$/i.test(rawHeaders[index - 1] ?? "")
      ? text.replace(own, `$1:${host.port}`)
      : text,
  );
}
