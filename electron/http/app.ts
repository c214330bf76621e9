import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { Credential } from "./auth";
import type { OpenCalls } from "./open-calls";
import type { Refusal } from "./refusal";

/** What a face registers its routes on: a Fastify instance whose routes are behind the guard and typed by zod schemas. */
export type HttpApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export interface RegisteredRoute {
  readonly method: string;
  /** The pattern, such as `/things/:id`. */
  readonly url: string;
}

declare module "fastify" {
  interface FastifyInstance {
    /** Calls that last: event streams, and answers that wait for a task. */
    readonly openCalls: OpenCalls;
    /** Hears of every request that is turned away at the door. */
    readonly onRefused: (refusal: Refusal) => void;
    /** Every route of this server, those of all faces included. */
    readonly registeredRoutes: readonly RegisteredRoute[];
  }
  interface FastifyRequest {
    /** Set by the guard before any handler runs. */
    credential: Credential;
    /** The name of the client that the token belongs to. */
    readonly client: string;
  }
}
