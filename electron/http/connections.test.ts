import { afterEach, describe, expect, it } from "vitest";
import type { HttpApp } from "./app";
import { testServer } from "./test-server";
import { TestSocket } from "./test-socket";

let app: HttpApp;
afterEach(() => app.close());

const post = ["content-type: application/json", "content-length: 100"];

/** The one answer on a connection that the server then closes. */
async function lastAnswer(connection: TestSocket): Promise<{ status: number; code: string }> {
  const [head, body, ...more] = (await connection.rest()).split("\r\n\r\n");
  expect(more).toEqual([]);
  expect(head).toContain("application/problem+json");
  return { status: Number(head?.split(" ")[1]), code: JSON.parse(body ?? "").code };
}

describe("a connection", () => {
  it("is told when its headers do not arrive in time", async () => {
    app = await testServer({ "limits.request_timeout": 150 });
    await using slow = await TestSocket.to(app);
    slow.socket.write("GET /who HTTP/1.1\r\nhost: 127.0.0.1");
    expect(await lastAnswer(slow)).toEqual({ status: 408, code: "request_timeout" });
  });

  it("is told when its body does not arrive in time", async () => {
    const logged: unknown[] = [];
    app = await testServer({ "limits.request_timeout": 150 }, undefined, logged);
    await using slow = await TestSocket.to(app);
    expect(await lastAnswer(slow.request("POST", "/echo", post, "{"))).toEqual({
      status: 408,
      code: "request_timeout",
    });
    expect(logged).toEqual([]);
  });

  it("gets a refusal before its body has come, and no second answer when that never comes", async () => {
    app = await testServer({ "limits.request_timeout": 150 });
    await using slow = await TestSocket.to(app);
    slow.request("POST", "/nothing", post, "{");
    expect(await lastAnswer(slow)).toEqual({ status: 404, code: "not_found" });
  });

  it("may be cut in the middle of a body, which is no bug", async () => {
    const logged: unknown[] = [];
    app = await testServer({}, undefined, logged);
    const cut = await TestSocket.to(app);
    cut.request("POST", "/echo", [...post, "expect: 100-continue"], "{");
    await cut.until("100 Continue");
    await cut[Symbol.asyncDispose]();
    await app.close();
    expect(logged).toEqual([]);
  });

  it("is told that its headers are too large", async () => {
    app = await testServer();
    await using large = await TestSocket.to(app);
    large.request("GET", "/who", [`x-large: ${"x".repeat(20_000)}`]);
    expect(await lastAnswer(large)).toEqual({ status: 431, code: "headers_too_large" });
  });

  it("is told that what it sends is no HTTP", async () => {
    app = await testServer();
    await using broken = await TestSocket.to(app);
    broken.socket.write("\x16\x03\x01 hello\r\n\r\n");
    expect(await lastAnswer(broken)).toEqual({ status: 400, code: "invalid_request" });
  });

  it("gets a refusal for a body that grows too large while it comes", async () => {
    app = await testServer({ "limits.body_bytes": 1_024 });
    await using chunked = await TestSocket.to(app);
    chunked.request("POST", "/echo", ["content-type: application/json", "transfer-encoding: chunked"]);
    chunked.socket.write(`800\r\n${"x".repeat(0x800)}\r\n`);
    expect(await chunked.until('"code":"payload_too_large"')).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("may expect what we do not know, and is served all the same", async () => {
    app = await testServer();
    await using odd = await TestSocket.to(app);
    expect(await odd.request("GET", "/who", ["expect: a-miracle"]).until("}")).toMatch(/^HTTP\/1\.1 200 /);
  });
});
