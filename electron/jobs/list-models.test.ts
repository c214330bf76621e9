import { expect, it } from "vitest";
import { listModels } from "./list-models";
import { installed } from "./test-tool";

it("lists what an agent needs to choose a model, and no paths", async () => {
  const models = [installed("a", { default: true }), installed("b", { loaded: true, contextLength: null })];
  const answer = await listModels.answer({}, { models: async () => models });
  expect(answer).toEqual({
    models: [
      { id: "a", loaded: false, default: true, context: 8192 },
      { id: "b", loaded: true, default: false, context: null },
    ],
  });
  expect(listModels.output?.safeParse(answer).success).toBe(true);
});
