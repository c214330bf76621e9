import { afterEach, describe, expect, it } from "vitest";
import type { HttpApp } from "./app";
import { listen } from "./server";
import { owner, testServer } from "./test-server";
import { TestSocket } from "./test-socket";

let app: HttpApp;
afterEach(() => app.close());

const ask = (method: string, url: string, headers: Record<string, string>) =>
  app.inject({ method: method as "GET", url, headers });

describe("the guard", () => {
  it("stands before every route that is registered, and before all that do not exist", async () => {
    app = await testServer();
    await app.ready();
    const known = app.registeredRoutes.map(({ method, url }) => ({ method, url: url.replace(/:\w+/g, "x") }));
    const strays = ["/", "/nothing", "/who/", "/%zz", "//", "/openapi.json/x"].map((url) => ({ method: "GET", url }));
    expect(known.map(({ url }) => url)).toEqual(
      expect.arrayContaining(["/openapi.json", "/who", "/echo", "/things/x"]),
    );
    for (const { method, url } of [...known, ...strays, { method: "OPTIONS", url: "/who" }]) {
      const { host } = owner;
      for (const answer of [
        await ask(method, url, { host }),
        await ask(method, url, { host, authorization: "Bearer wrong" }),
        await ask(method, url, { host, authorization: "Basic secret" }),
        await ask(method, url, { host, authorization: "Bearer " }),
        await ask(method, `${url}?token=secret&access_token=secret`, { host }),
      ])
        expect([method, url, answer.statusCode, answer.headers["www-authenticate"]]).toEqual([
          method,
          url,
          401,
          "Bearer",
        ]);
      for (const answer of [
        await ask(method, url, { ...owner, host: "evil.example:4517" }),
        await ask(method, url, { ...owner, host: "127.0.0.1:1" }),
        await ask(method, url, { ...owner, host: "127.0.0.1" }),
        await ask(method, url, { ...owner, host: "127.0.0.1:4517.evil.example" }),
        await ask(method, url, { ...owner, origin: "http://evil.example" }),
        await ask(method, url, { ...owner, origin: "null" }),
        await ask(method, url, { host: "evil.example:4517" }),
      ])
        expect([method, url, answer.statusCode]).toEqual([method, url, 403]);
    }
  });

  it("refuses before it looks at a body", async () => {
    app = await testServer();
    const payload = "{ not json";
    const headers = { ...owner, "content-type": "application/json" };
    const rebound = await app.inject({
      method: "POST",
      url: "/echo",
      headers: { ...headers, host: "evil.example:4517" },
      payload,
    });
    expect(rebound.json()).toMatchObject({ status: 403, code: "forbidden" });
    const stranger = await app.inject({
      method: "POST",
      url: "/echo",
      headers: { ...headers, authorization: "x" },
      payload,
    });
    expect(stranger.json()).toMatchObject({ status: 401, code: "unauthorized" });
  });

  it("never answers with a CORS header, not even to an origin that may call", async () => {
    app = await testServer({ "guard.origins": ["http://friend.example"] });
    const preflight = { "access-control-request-method": "POST", "access-control-request-headers": "authorization" };
    for (const [status, answer] of [
      [200, await ask("GET", "/who", { ...owner, origin: "http://friend.example" })],
      [200, await ask("GET", "/who", { ...owner, origin: "http://127.0.0.1:4517" })],
      [403, await ask("POST", "/echo", { ...owner, origin: "http://evil.example" })],
      [403, await ask("OPTIONS", "/echo", { ...owner, origin: "http://evil.example", ...preflight })],
      [401, await ask("OPTIONS", "/echo", { host: owner.host, origin: "http://friend.example", ...preflight })],
      [405, await ask("OPTIONS", "/echo", { ...owner, origin: "http://friend.example", ...preflight })],
    ] as const) {
      expect(answer.statusCode).toBe(status);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
  });

  it("takes another name of ours as the Host, but no other of our names as the Origin", async () => {
    app = await testServer();
    for (const host of ["localhost:4517", "LOCALHOST:4517", "[::1]:4517", "127.0.0.1:4517"])
      expect((await ask("GET", "/who", { ...owner, host })).statusCode).toBe(200);
    for (const origin of ["http://localhost:4517", "https://127.0.0.1:4517", "http://127.0.0.1:4518"])
      expect((await ask("GET", "/who", { ...owner, origin })).statusCode).toBe(403);
  });

  it("knows the port that was bound, and the client by its token", async () => {
    app = await testServer({ port: 0 });
    const url = await listen(app, 0);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const answer = await fetch(`${url}/who`, { headers: { authorization: "bearer second" } });
    expect(await answer.json()).toEqual({ client: "other" });
  });

  it("refuses a request without Host or with two, and a request line with a foreign URL", async () => {
    app = await testServer();
    await using twice = await TestSocket.to(app);
    expect(await twice.request("GET", "/who", ["Host: evil.example"]).until("}")).toMatch(/^HTTP\/1\.1 403 /);
    await using bare = await TestSocket.to(app);
    bare.socket.write("GET /who HTTP/1.1\r\nauthorization: Bearer secret\r\n\r\n");
    expect(await bare.until('"code":"forbidden"')).toMatch(/^HTTP\/1\.1 403 /);
    await using foreign = await TestSocket.to(app);
    expect(await foreign.request("GET", "http://evil.example/who").until("}")).toMatch(/^HTTP\/1\.1 403 /);
    await using own = await TestSocket.to(app);
    expect(await own.request("GET", `http://127.0.0.1:${own.port}/who`).until("}")).toMatch(/^HTTP\/1\.1 200 /);
  });
});
