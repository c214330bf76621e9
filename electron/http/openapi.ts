import swagger from "@fastify/swagger";
import { jsonSchemaTransform } from "fastify-type-provider-zod";
import type { HttpApp } from "./app";

/** OpenAPI 3.1 of every route that is registered after this, from the schemas that validate. Guarded like any route. */
export async function serveOpenApi(app: HttpApp, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Simmer", version, description: "Long generations by a model on this machine, as durable tasks." },
      components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
      security: [{ token: [] }],
    },
    transform: jsonSchemaTransform,
  });
  app.get("/openapi.json", { schema: { summary: "This document", tags: ["service"] } }, () => app.swagger());
}
