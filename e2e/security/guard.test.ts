import { once } from "node:events";
import { type IncomingHttpHeaders, request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { TestHost } from "../mcp/test-host";

/** A request as a browser, or anything else, may send it: `fetch` would not send these headers. */
async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders }> {
  const body = method === "POST" ? "{ this is not even JSON" : undefined;
  const sent = request(url, { method, headers: { "content-type": "application/json", ...headers } }).end(body);
  const [response] = await once(sent, "response");
  response.resume();
  await once(response, "end");
  return { status: response.statusCode, headers: response.headers };
}

const openApi = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

describe("the endpoint of a host", () => {
  let host: TestHost;
  let base: string;
  let port: string;
  let authorization: string;
  /** As the host describes itself. */
  let routes: readonly { readonly method: string; readonly url: string }[];

  beforeAll(async () => {
    host = await TestHost.start();
    base = host.url.replace(/\/mcp$/, "");
    port = new URL(base).port;
    authorization = `Bearer ${host.token("alice")}`;
    const answer = await fetch(`${base}/openapi.json`, { headers: { authorization } });
    const { paths } = openApi.parse(await answer.json());
    routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({
        method: method.toUpperCase(),
        url: `${base}${path.replace(/\{\w+\}/, "task_01J8M8R5X3V7B2N4Q9T1W6Y0ZC")}`,
      })),
    );
    expect(routes.length).toBeGreaterThan(10);
  });
  afterAll(() => host[Symbol.asyncDispose]());

  // Case B95: a page whose name was bound to 127.0.0.1 anew still sends that name.
  it("refuses a rebound name before it reads anything, on every route", async () => {
    for (const { method, url } of routes) {
      const { status } = await send(url, method, { authorization, host: `evil.example:${port}` });
      expect([method, url, status]).toEqual([method, url, 403]);
    }
  });

  // Case B97.
  it("reflects no origin, allows none, and refuses a simple request of another page", async () => {
    for (const origin of ["http://evil.example", "null", "https://127.0.0.1", `http://localhost:${port}`])
      for (const { method, url } of [...routes, ...routes.map(({ url }) => ({ method: "OPTIONS", url }))]) {
        const preflight = {
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization",
        };
        const simple = { "content-type": "text/plain", origin, authorization };
        const { status, headers } = await send(
          url,
          method,
          method === "OPTIONS" ? { ...simple, ...preflight } : simple,
        );
        expect([method, url, status]).toEqual([method, url, 403]);
        expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
      }
  });

  // Case B98.
  it("answers nobody without the token, with a wrong one, or with one in the query, on every route", async () => {
    for (const { method, url } of routes)
      for (const [path, headers] of [
        [url, {}],
        [url, { authorization: "Bearer wrong" }],
        [url, { authorization: authorization.slice(0, -1) }],
        [`${url}?token=${host.token("alice")}&access_token=${host.token("alice")}`, {}],
      ] as const) {
        const { status, headers: told } = await send(path, method, headers);
        expect([method, url, status, told["www-authenticate"]]).toEqual([method, url, 401, "Bearer"]);
      }
    expect(host.everyTask()).toEqual([]);
  });
});
