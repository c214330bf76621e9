import { afterEach, describe, expect, it } from "vitest";
import type { HttpApp } from "./app";
import { listen } from "./server";
import { other, owner, testServer } from "./test-server";

let app: HttpApp;
afterEach(() => app.close());

const json = { ...owner, "content-type": "application/json" };
const echo = (payload: string | Buffer, headers: Record<string, string> = json) =>
  app.inject({ method: "POST", url: "/echo", headers, payload });

describe("the HTTP server", () => {
  it("answers every error as a problem", async () => {
    app = await testServer({ "limits.body_bytes": 1_024 });
    for (const [status, code, answer] of [
      [404, "not_found", await app.inject({ url: "/nothing", headers: owner })],
      [
        404,
        "not_found",
        await app.inject({ method: "POST", url: "/nothing", headers: { ...json, "content-type": "x" } }),
      ],
      [400, "invalid_request", await app.inject({ url: "/%zz", headers: owner })],
      [405, "method_not_allowed", await app.inject({ method: "DELETE", url: "/who", headers: owner })],
      [400, "invalid_request", await echo("{ not json")],
      [400, "invalid_request", await echo("")],
      [400, "invalid_request", await echo("null")],
      [400, "invalid_request", await echo(Buffer.from('{"a":"\xff"}', "latin1"))],
      [400, "invalid_request", await echo('{"__proto__":{"admin":true}}')],
      [400, "invalid_request", await echo('{"constructor":{"prototype":{"admin":true}}}')],
      [400, "invalid_request", await echo(`{"a":${"[".repeat(300)}${"]".repeat(300)}}`)],
      [413, "payload_too_large", await echo(JSON.stringify({ text: "x".repeat(1_024) }))],
      [415, "unsupported_media_type", await echo("{}", { ...owner, "content-type": "text/plain" })],
      [415, "unsupported_media_type", await echo("{}", owner)],
      [415, "unsupported_media_type", await echo("{}", { ...owner, "content-type": ";;" })],
      [
        415,
        "unsupported_media_type",
        await echo("{}", { ...owner, "content-type": "application/json; charset=utf-16" }),
      ],
      [415, "unsupported_media_type", await echo("{}", { ...json, "content-encoding": "gzip" })],
    ] as const) {
      expect(answer.headers["content-type"]).toBe("application/problem+json");
      const problem = answer.json();
      expect([answer.statusCode, problem.status, problem.code]).toEqual([status, status, code]);
      expect(problem).toEqual({
        type: `urn:lmsp:problem:${code}`,
        title: expect.any(String),
        status,
        detail: expect.any(String),
        code,
      });
    }
  });

  it("names the field that is at fault", async () => {
    app = await testServer();
    const answer = await echo('{"list":[{"size":1},{"size":10}]}');
    expect(answer.json().detail).toMatch(/^list\[1\]\.size: /);
  });

  it("takes JSON with a charset and a byte order mark", async () => {
    app = await testServer();
    const answer = await echo("\ufeff{}", { ...owner, "content-type": 'application/json; charset="UTF-8"' });
    expect([answer.statusCode, answer.json()]).toEqual([200, {}]);
  });

  it("tells a path's methods with 405, and answers HEAD without a body", async () => {
    app = await testServer();
    const refused = await app.inject({ method: "PUT", url: "/things/x%20y?z=1", headers: owner });
    expect([refused.statusCode, refused.headers.allow]).toEqual([405, "GET, HEAD"]);
    const head = await app.inject({ method: "HEAD", url: "/things/x", headers: owner });
    expect([head.statusCode, head.body]).toEqual([200, ""]);
  });

  it("keeps a bug's reason in the log", async () => {
    const logged: unknown[] = [];
    app = await testServer({}, undefined, logged);
    const answer = await app.inject({ url: "/bug?token=hidden", headers: owner });
    expect(answer.json()).toMatchObject({ status: 500, code: "internal" });
    expect(answer.body).not.toMatch(/inner reason|at /);
    expect(logged).toEqual([
      [expect.objectContaining({ err: new Error("the inner reason"), route: "/bug" }), expect.any(String)],
    ]);
  });

  it("refuses a client that asks too often, whatever it asks for, and no other client", async () => {
    app = await testServer({ "limits.request_burst": 3, "limits.requests_per_second": 1 });
    for (const url of ["/who", "/nothing", "/who"]) await app.inject({ url, headers: owner });
    const refused = await app.inject({ url: "/who", headers: owner });
    expect(refused.json()).toMatchObject({ status: 429, code: "rate_limited" });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(3);
    expect((await app.inject({ url: "/who", headers: other })).statusCode).toBe(200);
  });

  it("does not count what the guard refuses", async () => {
    app = await testServer({ "limits.request_burst": 1, "limits.requests_per_second": 1 });
    for (let asked = 0; asked < 5; asked += 1) await app.inject({ url: "/who", headers: { host: owner.host } });
    expect((await app.inject({ url: "/who", headers: owner })).statusCode).toBe(200);
  });

  it("describes its routes as OpenAPI 3.1", async () => {
    app = await testServer();
    const document = (await app.inject({ url: "/openapi.json", headers: owner })).json();
    expect(document.openapi).toBe("3.1.0");
    expect(document.paths["/echo"].post.requestBody.content["application/json"].schema.properties.list.type).toBe(
      "array",
    );
    expect(document.security).toEqual([{ token: [] }]);
  });

  it("marks no answer as one that may be kept", async () => {
    app = await testServer();
    const answer = await app.inject({ url: "/who", headers: owner });
    expect(answer.headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
  });

  it("says what to do when its port is taken", async () => {
    app = await testServer();
    const url = await listen(app, 0);
    const second = await testServer();
    try {
      const port = Number(new URL(url).port);
      await expect(listen(second, port)).rejects.toThrow(`Port ${port} is in use. Choose another`);
    } finally {
      await second.close();
    }
  });
});
