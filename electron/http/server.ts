import Fastify, { type FastifyBaseLogger, LogController } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { ProblemError } from "../../shared/problem";
import type { Settings } from "../../shared/settings";
import { allowedMethods } from "./allowed-methods";
import type { HttpApp, RegisteredRoute } from "./app";
import type { Authenticate } from "./auth";
import { ClientErrors } from "./client-error";
import { answerError } from "./errors";
import { guard, refuseVoid } from "./guard";
import { readJsonBodies } from "./json-body";
import { OpenCalls } from "./open-calls";
import { serveOpenApi } from "./openapi";
import { limitRates } from "./rate-limit";
import type { Refusal } from "./refusal";
import { validatorCompiler } from "./validation";

export interface HttpServerOptions {
  readonly authenticate: Authenticate;
  readonly settings: Settings;
  readonly log: FastifyBaseLogger;
  readonly version: string;
  /** Hears of every request that is turned away at the door. */
  readonly onRefused?: (refusal: Refusal) => void;
  /** Each registers its routes; all of them are behind the guard. */
  readonly faces: readonly { readonly name: string; register(app: HttpApp): void | Promise<void> }[];
}

/** Builds the server without binding it. Whoever calls this closes it: `close()` ends open calls and sockets promptly. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpApp> {
  const check = guard({
    authenticate: options.authenticate,
    origins: options.settings["guard.origins"],
    port: options.settings.port,
  });
  const app = bareServer(options, check);
  const routes: RegisteredRoute[] = [];
  app.decorate("registeredRoutes", routes);
  app.decorate("onRefused", options.onRefused ?? (() => undefined));
  app.decorate("openCalls", new OpenCalls(options.settings["limits.streams_per_client"]));
  app.decorateRequest("credential");
  app.decorateRequest("client", {
    getter() {
      return this.credential.client;
    },
  });
  app.addHook("preClose", async () => app.openCalls.abortAll());
  app.addHook("onRoute", ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url });
  });
  app.addHook("onRequest", async (request) => check(request));
  app.addHook("preHandler", async ({ credential }) => refuseVoid(credential));
  await limitRates(app, options.settings);
  refuseUnknownRoutes(app);
  await serveOpenApi(app, options.version);
  for (const face of options.faces) await app.register(async (scope) => face.register(scope));
  return app;
}

/** Binds to 127.0.0.1 only; resolves to `http://127.0.0.1:PORT`. Port 0 is any free one. */
export async function listen(app: HttpApp, port: number): Promise<string> {
  try {
    return await app.listen({ host: "127.0.0.1", port });
  } catch (error) {
    const fault = portFaults[(error as { code?: string }).code ?? ""];
    if (fault === undefined) throw error;
    throw new Error(`Port ${port} ${fault}. Choose another with the setting "port"; 0 takes any free one.`, {
      cause: error,
    });
  }
}

const portFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: "is in use",
  EACCES: "is kept by the system",
};

function bareServer({ settings, log }: HttpServerOptions, check: ReturnType<typeof guard>): HttpApp {
  const timeout = settings["limits.request_timeout"];
  const clientErrors = new ClientErrors();
  const app = Fastify({
    loggerInstance: log,
    // Request lines can hold what nobody should write down.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: settings["limits.body_bytes"],
    requestTimeout: timeout,
    http: {
      headersTimeout: timeout,
      requestTimeout: timeout,
      connectionsCheckingInterval: Math.min(timeout, 1_000),
      // The guard answers a missing Host, as a problem.
      requireHostHeader: false,
    },
    forceCloseConnections: true,
    return503OnClosing: false,
    // Longer than any path can be: an id that is too long is a task that does not exist, nothing else.
    routerOptions: { maxParamLength: 65_536 },
    clientErrorHandler: (error, socket) => clientErrors.answer(error, socket),
    // A URL that cannot be routed runs no hooks, and is behind the guard all the same.
    frameworkErrors: (error, request, reply) => {
      try {
        check(request);
        void answerError(error, request, reply);
      } catch (refusal) {
        void answerError(refusal, request, reply);
      }
    },
  }).withTypeProvider<ZodTypeProvider>();
  clientErrors.watch(app.server);
  // RFC 9110 10.1.1: an expectation that we do not know may be ignored.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.setErrorHandler(answerError);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.addHook("onSend", async (_request, reply) => {
    reply.headers({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
  });
  readJsonBodies(app);
  return app;
}

/** Before a body is read: a path that does not exist is 404, a method that a path does not have is 405 with `Allow`. */
function refuseUnknownRoutes(app: HttpApp): void {
  app.addHook("onRequest", async (request, reply) => {
    if (!request.is404) return;
    const path = request.url.replace(/[?#].*$/, "");
    const allowed = allowedMethods(app.registeredRoutes, path);
    if (allowed.length === 0) throw new ProblemError("not_found", "There is no such path here.");
    reply.header("allow", allowed.join(", "));
    throw new ProblemError("method_not_allowed", `This path answers ${allowed.join(", ")}.`);
  });
}
