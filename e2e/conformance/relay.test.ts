import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Relay } from "./relay";

let server: ReturnType<typeof createServer>;
let relay: Relay;
let port: number;
beforeEach(async () => {
  server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
  relay = await Relay.start(`http://127.0.0.1:${port}`, "secret");
});
afterEach(async () => {
  await relay[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

/** The next request at the host. */
async function arrived(): Promise<[IncomingMessage, ServerResponse]> {
  const [incoming, outgoing] = await once(server, "request");
  return [incoming, outgoing];
}

/** Sends a request with these headers to the relay. */
function send(headers: Readonly<Record<string, string>>) {
  const sent = request(`${relay.url}/mcp`, { method: "POST", headers });
  sent.on("error", () => undefined); // it may be cut off
  sent.end("{}");
  return sent;
}

test("a request gets the token, and names the host where it named the relay", async () => {
  const own = new URL(relay.url).host;
  send({ Host: own, Origin: `http://${own}`, "Mcp-Method": "ping" });
  const [incoming, outgoing] = await arrived();
  expect(incoming).toMatchObject({ method: "POST", url: "/mcp" });
  expect(incoming.headers).toMatchObject({
    host: `127.0.0.1:${port}`,
    origin: `http://127.0.0.1:${port}`,
    authorization: "Bearer secret",
    "mcp-method": "ping",
  });
  outgoing.end();
});

test("what a foreign page sends arrives as it was sent", async () => {
  send({ Host: "evil.example.com", Origin: "http://evil.example.com" });
  const [incoming, outgoing] = await arrived();
  expect(incoming.headers).toMatchObject({ host: "evil.example.com", origin: "http://evil.example.com" });
  outgoing.end();
});

test("an answer comes in the pieces in which the host writes it, and a cut ends both sides", async () => {
  const sent = send({ Host: new URL(relay.url).host });
  const [, outgoing] = await arrived();
  outgoing.writeHead(200, { "Content-Type": "text/event-stream" });
  outgoing.write("data: 1\n\n");
  const [response] = await once(sent, "response");
  expect(response.headers["content-type"]).toBe("text/event-stream");
  expect(String((await once(response, "data"))[0])).toBe("data: 1\n\n");

  const closed = once(outgoing, "close");
  sent.destroy();
  await closed;
});
