import type { ModelListing } from "../../engine/models";
import type { TaskService } from "../../engine/task-service";
import type { HttpApp } from "../../http/app";
import { base } from "./caller";
import { capabilitiesSchema, modelListSchema, refusals } from "./schemas";

const tags = ["service"];

/** What is here: the installed models, and what this service can do. */
export function serviceRoutes(app: HttpApp, service: TaskService): void {
  const models = { summary: "List the installed models", tags, response: { 200: modelListSchema, ...refusals } };
  app.get(`${base}/models`, { schema: models }, async () => ({
    object: "list" as const,
    data: (await service.models()).map(modelObject),
  }));

  const capabilities = {
    summary: "What this service can do",
    tags,
    response: { 200: capabilitiesSchema, ...refusals },
  };
  app.get(`${base}/capabilities`, { schema: capabilities }, async () => ({
    event_resume: true,
    // LMSP 7.5: every run goes on from the tokens in its log.
    resumable_snapshots: true,
    limits: service.limits(),
  }));
}

export function modelObject(model: ModelListing) {
  return {
    id: model.id,
    object: "model" as const,
    default: model.default,
    loaded: model.loaded,
    context_length: model.contextLength,
    size_bytes: model.sizeBytes,
  };
}
