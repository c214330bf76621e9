import {
  type Implementation,
  mergeCapabilities,
  type ReadResourceResult,
  type Server,
  type ServerCapabilities,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Caller } from "../../../engine/caller";
import type { FaceParts } from "../face-parts";
import { taskResourceTemplate } from "../resources/task-resources";
import { toolDefinitions } from "../tools/tool-definition";
import { answering, anyParams } from "./answering";

export const serverInstructions =
  "Simmer runs long generations by a local model as tasks that survive a lost connection: call a tool as a task where " +
  "your client can, ask for it as often as you like, and cancel what nobody needs any more.";

/** Who answers. */
export function serverInfo({ version }: FaceParts): Implementation {
  return { name: "simmer", title: "Simmer", version };
}

/** What the face declares in either generation, besides how it does tasks. */
export function commonCapabilities({ registration }: FaceParts, tasks: ServerCapabilities): ServerCapabilities {
  const own = mergeCapabilities({ tools: {}, resources: {} }, tasks);
  return mergeCapabilities(own, registration.extra?.capabilities ?? {});
}

/** What both generations answer alike: the tools there are, the resources, and what a composition adds. */
export function commonMethods(server: Server, parts: FaceParts, caller: Caller): void {
  const { registration, resources, onBug } = parts;
  const extra = registration.extra;
  const definitions = toolDefinitions(registration);
  answering(server, onBug, "tools/list", "list tools", anyParams, () => ({ tools: definitions }));
  answering(server, onBug, "resources/list", "list resources", anyParams, ({ cursor }) => {
    const { items, ...rest } = resources.list(caller, cursor);
    const first = cursor === undefined ? (extra?.resources?.resources ?? []) : [];
    return { resources: [...first, ...items], ...rest };
  });
  answering(server, onBug, "resources/templates/list", "list resource templates", anyParams, () => ({
    resourceTemplates: [taskResourceTemplate, ...(extra?.resources?.templates ?? [])],
  }));
  answering(
    server,
    onBug,
    "resources/read",
    "read resource",
    z.looseObject({ uri: z.string() }),
    ({ uri }): ReadResourceResult => extra?.resources?.read(uri) ?? resources.read(caller, uri),
  );
  for (const [method, handler] of Object.entries(extra?.handlers ?? {}))
    answering(server, onBug, method, `answer ${method}`, anyParams, handler);
}
