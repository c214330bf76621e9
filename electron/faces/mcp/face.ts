import { randomBytes } from "node:crypto";
import type { HttpApp } from "../../http/app";
import type { Face } from "../face";
import { Endpoint } from "./endpoint";
import type { FaceParts } from "./face-parts";
import { answerMcpErrors } from "./http/errors";
import { withoutBody } from "./http/without-body";
import { legacyEra } from "./legacy/legacy-era";
import { ListCursors } from "./list-cursor";
import { modernEra } from "./modern/modern-era";
import { TaskResources } from "./resources/task-resources";

export type McpFaceParts = Pick<FaceParts, "service" | "registration" | "clock" | "version">;

const path = "/mcp";

/** The Model Context Protocol: 2025-11-25 and earlier with sessions, 2026-07-28 without, at one address. */
export function mcpFace(parts: McpFaceParts): Face {
  return {
    name: "mcp",
    register(app) {
      const key = randomBytes(32);
      const cursors = new ListCursors(key);
      const resources = new TaskResources(parts.service, cursors);
      const onBug = (error: unknown) => app.log.error({ err: error }, "an MCP request failed by a fault of Simmer");
      const all: FaceParts = { ...parts, key, cursors, resources, onBug };
      serve(app, new Endpoint(app.openCalls, parts.clock, { legacy: legacyEra(all), modern: modernEra(all) }));
    },
  };
}

function serve(app: HttpApp, endpoint: Endpoint): void {
  const schema = {
    summary: "The Model Context Protocol",
    description: "JSON-RPC over Streamable HTTP, as the protocol describes it.",
    tags: ["mcp"],
  };
  answerMcpErrors(app);
  app.addHook("onClose", () => endpoint.close());
  app.post(path, { schema }, (request, reply) => endpoint.answer(request, reply));
  void app.register(async (scope) => {
    withoutBody(scope);
    scope.get(path, { schema, exposeHeadRoute: false }, (request, reply) => endpoint.answer(request, reply));
    scope.delete(path, { schema }, (request, reply) => endpoint.answer(request, reply));
  });
}
