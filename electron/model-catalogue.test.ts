import { expect, it } from "vitest";
import { settingsSchema } from "../shared/settings";
import { LoadCrashes } from "./backend/load-crashes";
import { ScriptedBackend } from "./backend/scripted/scripted-backend";
import { Catalogue, specBySettings } from "./model-catalogue";
import { MemoryStore } from "./store/memory-store";

const settings = settingsSchema.parse({});
const installed = ["bad", "good"].map((id) => ({
  id,
  path: `/models/${id}.gguf`,
  sizeBytes: 1,
  embedded: false,
  contextLength: null,
}));
const library = { list: async () => installed, find: async () => undefined };

it("says of a model that is put aside why, until a person wants it to be tried again", async () => {
  const aside = new LoadCrashes();
  const catalogue = new Catalogue(library, new ScriptedBackend({ models: {} }), new MemoryStore(), settings, aside);
  const reasons = async () => (await catalogue.list()).map(({ id, putAside }) => [id, putAside]);
  for (const model of installed.slice(0, 1))
    for (let time = 0; time < 3; time++) aside.crashed(specBySettings(settings)(model), "It ended with SIGSEGV.", time);
  expect(await reasons()).toEqual([
    ["bad", expect.stringMatching(/"bad" ended the inference process 3 times.*SIGSEGV/)],
    ["good", null],
  ]);
  catalogue.forgive("bad");
  expect(await reasons()).toEqual([
    ["bad", null],
    ["good", null],
  ]);
});
