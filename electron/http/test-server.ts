import type { FastifyBaseLogger } from "fastify";
import { z } from "zod";
import { type Settings, settingsSchema } from "../../shared/settings";
import type { HttpApp } from "./app";
import { authenticateAmong, hashToken, tokenLife } from "./auth";
import { createHttpServer } from "./server";

const port = 4517;

/** Headers of a call without a socket, by the client `local`. */
export const owner = { host: `127.0.0.1:${port}`, authorization: "Bearer secret" };
export const other = { ...owner, authorization: "Bearer second" };

/**
 * The server with a face of a few plain routes, for tests. What it logs at `error` lands in `logged`; `ended` makes the
 * token of `local` void.
 */
export function testServer(
  settings: Partial<Settings> = {},
  register: (app: HttpApp) => void = plainRoutes,
  logged: unknown[] = [],
  ended: AbortSignal = tokenLife().signal,
): Promise<HttpApp> {
  const tokens = [
    { client: "local", hash: hashToken("secret"), ended },
    { client: "other", hash: hashToken("second"), ended: tokenLife().signal },
  ];
  return createHttpServer({
    authenticate: authenticateAmong(() => tokens),
    settings: settingsSchema.parse({ port, ...settings }),
    log: collectErrors(logged),
    version: "0.0.0",
    faces: [{ name: "test", register }],
  });
}

export const silentLog = collectErrors([]);

function plainRoutes(app: HttpApp): void {
  const body = z.looseObject({ list: z.array(z.object({ size: z.int().max(9) })).optional() });
  app.get("/who", (request) => ({ client: request.client }));
  app.post("/echo", { schema: { body } }, (request) => request.body);
  app.get("/things/:id", (request) => request.params);
  app.get("/bug", () => {
    throw new Error("the inner reason");
  });
}

function collectErrors(logged: unknown[]): FastifyBaseLogger {
  const quiet = () => undefined;
  const error = (...line: unknown[]) => void logged.push(line);
  const log = {
    level: "error",
    info: quiet,
    debug: quiet,
    trace: quiet,
    warn: quiet,
    silent: quiet,
    error,
    fatal: error,
  };
  return { ...log, child: () => collectErrors(logged) };
}
