import { z } from "zod";
import type { QuickTool } from "../engine/tool";

export const listModels: QuickTool = {
  kind: "quick",
  name: "list_models",
  title: "List the local models",
  description: [
    "Lists the language models that are installed on this computer.",
    "Use it before the other tools to choose a model by its id; it is not needed when one model is the default.",
    "Answers at once and loads nothing.",
  ].join(" "),
  input: z.strictObject({}),
  output: z.strictObject({
    models: z.array(
      z.strictObject({
        id: z.string().describe("What the argument `model` of the other tools takes."),
        loaded: z.boolean().describe("In memory now: its answer begins without waiting for a load."),
        default: z.boolean().describe("Taken when no model is named."),
        context: z
          .int()
          .min(0)
          .nullable()
          .describe("Tokens that it was made for, prompt and answer together; null when its file does not say."),
      }),
    ),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async answer(_args, context) {
    const models = await context.models();
    return {
      models: models.map((model) => ({
        id: model.id,
        loaded: model.loaded,
        default: model.default,
        context: model.contextLength,
      })),
    };
  },
};
