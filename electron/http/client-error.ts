import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Problem } from "../../shared/problem";
import { problemBody, problemMediaType } from "./problem-body";

const faults: Readonly<Record<string, Problem>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: "request_timeout", detail: "The whole request did not arrive in time." },
  HPE_HEADER_OVERFLOW: { code: "headers_too_large", detail: "The request line and headers are too large together." },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { code: "payload_too_large", detail: "The chunk extensions are too large." },
};
const malformed: Problem = { code: "invalid_request", detail: "The request is not valid HTTP." };

/** Answers what never becomes a request: broken HTTP, headers that are too large, a request that does not arrive. */
export class ClientErrors {
  readonly #responses = new WeakMap<Socket, ServerResponse<IncomingMessage>>();

  watch(server: Server): void {
    server.on("request", (request, response) => this.#responses.set(request.socket, response));
  }

  answer(error: Error & { code?: string }, socket: Socket): void {
    if (error.code === "ECONNRESET" || !socket.writable || this.#isAnswering(socket)) return void socket.destroy();
    const problem = problemBody(faults[error.code ?? ""] ?? malformed);
    const body = JSON.stringify(problem);
    const head = [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      `content-type: ${problemMediaType}`,
      `content-length: ${Buffer.byteLength(body)}`,
      "connection: close",
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
  }

  /** A second answer must not be written into one that has begun, nor after one whose request never came to its end. */
  #isAnswering(socket: Socket): boolean {
    const response = this.#responses.get(socket);
    if (response === undefined || !response.headersSent) return false;
    return !response.writableFinished || !response.req.complete;
  }
}
