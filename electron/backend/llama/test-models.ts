import { fileURLToPath } from "node:url";
import type { WritingOptions } from "../../../shared/message";
import type { GenerateRequest, ModelSpec } from "../../engine/backend";

/** The embedded model. */
export const demo = fileURLToPath(new URL("../../../assets/models/simmer-demo.gguf", import.meta.url));

export function specOf(id: string, path: string, more: Partial<ModelSpec> = {}): ModelSpec {
  return { id, path, contextLength: null, threads: 1, parallel: 2, gpu: false, ...more };
}

export function request(text: string, options: Partial<WritingOptions> = {}): GenerateRequest {
  return {
    model: "simmer-demo",
    messages: [{ role: "user", text }],
    options: { stop: [], format: { type: "text" }, ...options },
  };
}
