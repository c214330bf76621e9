import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Settings, settingsSchema } from "../../shared/settings";
import type { HttpApp } from "./app";
import { authenticateAmong, hashToken } from "./auth";
import { createHttpServer } from "./server";

const port = 4517;
const owner = { host: `127.0.0.1:${port}`, authorization: "Bearer secret" };
const logged: string[] = [];
let app: HttpApp;

async function server(settings: Partial<Settings> = {}, register: (app: HttpApp) => void = routes): Promise<HttpApp> {
  app = await createHttpServer({
    authenticate: authenticateAmong(() => [
      { name: "desktop", tokenHash: null },
      { name: "local", tokenHash: hashToken("secret") },
      { name: "other", tokenHash: hashToken("second") },
    ]),
    settings: settingsSchema.parse({ port, ...settings }),
    log: pino({ level: "error" }, { write: (line: string) => void logged.push(line) }),
    version: "0.0.0",
    faces: [{ name: "test", register }],
  });
  return app;
}

function routes(app: HttpApp): void {
  app.get("/who", (request) => ({ client: request.client }));
  app.post(
    "/echo",
    { schema: { body: z.looseObject({ list: z.array(z.string()).optional() }) } },
    (request) => request.body,
  );
  app.get("/things/:id", (request) => request.params);
  app.get("/bug", () => {
    throw new Error("the secret reason");
  });
}

afterEach(async () => {
  logged.length = 0;
  await app.close();
});

describe("the guard", () => {
  it("lets nothing through without a valid token, on any route that exists and on those that do not", async () => {
    await server();
    await app.ready();
    const urls = app.registeredRoutes.map(({ method, url }) => ({ method, url: url.replace(/:\w+/g, "x") }));
    const strays = ["/", "/nothing", "/who/", "/%zz", "//", "/openapi.json/x"].map((url) => ({ method: "GET", url }));
    expect(urls.map(({ url }) => url)).toEqual(expect.arrayContaining(["/openapi.json", "/who", "/echo", "/things/x"]));
    for (const { method, url } of [...urls, ...strays, { method: "OPTIONS", url: "/who" }]) {
      const ask = (headers: Record<string, string>, query = "") =>
        app.inject({ method: method as "GET", url: url + query, headers });
      const { host } = owner;
      const label = `${method} ${url}`;
      for (const refused of [
        await ask({ host }),
        await ask({ host, authorization: "Bearer wrong" }),
        await ask({ host, authorization: "Basic secret" }),
        await ask({ host, authorization: "Bearer " }),
        await ask({ host }, "?token=secret&access_token=secret"),
      ])
        expect([label, refused.statusCode, refused.headers["www-authenticate"]]).toEqual([label, 401, "Bearer"]);
      for (const refused of [
        await ask({ ...owner, host: `evil.example:${port}` }),
        await ask({ ...owner, host: "127.0.0.1:1" }),
        await ask({ ...owner, host: "127.0.0.1" }),
        await ask({ ...owner, origin: "http://evil.example" }),
        await ask({ ...owner, origin: "null" }),
        await ask({ host: `evil.example:${port}` }),
      ])
        expect([label, refused.statusCode]).toEqual([label, 403]);
    }
  });
});
