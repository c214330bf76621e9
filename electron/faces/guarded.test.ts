import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { settingsSchema } from "../../shared/settings";
import { scripted, TestEngine } from "../engine/test-engine";
import type { HttpApp } from "../http/app";
import { authenticateAmong, hashToken, tokenLife } from "../http/auth";
import type { Refusal } from "../http/refusal";
import { createHttpServer } from "../http/server";
import { silentLog } from "../http/test-server";
import { faces } from "./faces";

const port = 4517;
const host = `127.0.0.1:${port}`;
const authorization = "Bearer secret";

/** Every method that a server may be asked with, so that none slips by a route that answers others. */
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

const withoutToken: Record<string, string>[] = [
  {},
  { authorization: "Bearer wrong" },
  { authorization: "Bearer secre" },
  { authorization: "Bearer secret2" },
  { authorization: "bearer" },
  { authorization: "Basic c2VjcmV0" },
  { authorization: "secret" },
  { cookie: "token=secret", "x-api-key": "secret", "proxy-authorization": authorization },
];

const foreign: Record<string, string>[] = [
  { origin: "http://evil.example" },
  { origin: "null" },
  { origin: "http://127.0.0.1:80" },
  { origin: "http://localhost" },
  { origin: `http://${host}.evil.example` },
  { host: `evil.example:${port}` },
  { host: "127.0.0.1" },
  { host: "127.0.0.1:1" },
  { host: `0.0.0.0:${port}` },
];

describe("every route of every face", () => {
  const engine = new TestEngine(scripted({}));
  const refused: Refusal[] = [];
  let app: HttpApp;

  beforeAll(async () => {
    const { service, clock } = engine;
    const settings = settingsSchema.parse({ port });
    app = await createHttpServer({
      authenticate: authenticateAmong(() => [
        { client: "local", hash: hashToken("secret"), ended: tokenLife().signal },
      ]),
      settings,
      log: silentLog,
      version: "1",
      onRefused: (refusal) => refused.push(refusal),
      faces: faces({ service, settings, registration: { tools: [] }, clock, version: "1" }),
    });
    await app.ready();
  });
  afterAll(() => app.close());

  const routes = () => app.registeredRoutes;
  const paths = () => [...new Set(routes().map(({ url }) => url.replace(/:\w+/g, "task_01J8M8R5X3V7B2N4Q9T1W6Y0ZC")))];
  const ask = async (method: (typeof methods)[number], url: string, headers: Record<string, string>) => {
    const { statusCode, headers: told } = await app.inject({ method, url, headers: { host, ...headers } });
    expect(Object.keys(told).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    return [method, url, statusCode];
  };

  it("is among those that the tests below ask", () => {
    const known = routes().map(({ method, url }) => `${method} ${url}`);
    for (const one of ["GET /openapi.json", "POST /lmsp/v1/tasks", "POST /mcp", "GET /mcp", "DELETE /mcp"])
      expect(known).toContain(one);
    // As the router itself has them: nobody has registered one behind the back of the list.
    const routed = app.printRoutes({ commonPrefix: false }).matchAll(/\(([A-Z, ]+)\)/g);
    expect([...routed].flatMap(([, names = ""]) => names.split(", "))).toHaveLength(routes().length);
  });

  // Cases B98, B101.
  it("answers nobody without a valid token, wherever else it may stand, and says no more than that", async () => {
    for (const url of paths())
      for (const method of methods) {
        for (const headers of withoutToken) expect(await ask(method, url, headers)).toEqual([method, url, 401]);
        const inQuery = `${url}?token=secret&access_token=secret&authorization=Bearer%20secret`;
        expect(await ask(method, inQuery, {})).toEqual([method, inQuery, 401]);
      }
    expect(refused.every(({ code, client }) => code === "unauthorized" && client === null)).toBe(true);
  });

  // Cases B95, B97, B101.
  it("answers no foreign page and no foreign name, token or not, and allows no origin", async () => {
    for (const url of paths())
      for (const method of methods)
        for (const headers of foreign)
          for (const token of [{}, { authorization }])
            expect(await ask(method, url, { ...token, ...headers })).toEqual([method, url, 403]);
  });

  it("lets the owner in, so that it was the guard that refused the others", async () => {
    for (const url of ["/openapi.json", "/lmsp/v1/tasks", "/lmsp/v1/models", "/lmsp/v1/capabilities"])
      expect(await ask("GET", url, { authorization })).toEqual(["GET", url, 200]);
  });
});
