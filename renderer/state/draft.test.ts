import { expect, test } from "vitest";
import { checkDraft, emptyDraft } from "./draft";

const draft = { ...emptyDraft, prompt: "Write a poem" };
const faults = (change: object) => {
  const checked = checkDraft({ ...draft, ...change });
  return "faults" in checked ? checked.faults : {};
};

test("a prompt alone is a task on the default model", () => {
  expect(checkDraft(draft)).toEqual({
    task: {
      prompt: "Write a poem",
      system: "",
      model: null,
      maxTokens: null,
      temperature: null,
      schema: null,
      onRestart: "fail",
    },
  });
});

test("numbers are read as people write them", () => {
  const checked = checkDraft({ ...draft, maxTokens: " 2,048 ", temperature: "0,7" });
  expect(checked).toMatchObject({ task: { maxTokens: 2048, temperature: 0.7 } });
});

test.each([
  [{ prompt: "  \n" }, { prompt: "empty" }],
  [{ prompt: "x".repeat(4_000_001) }, { prompt: "long" }],
  [{ maxTokens: "many" }, { maxTokens: "number" }],
  [{ maxTokens: "1.5" }, { maxTokens: "number" }],
  [{ maxTokens: "0" }, { maxTokens: "range" }],
  [{ temperature: "2.1" }, { temperature: "range" }],
  [{ asJson: true }, { schema: "empty" }],
  [{ asJson: true, schema: "{" }, { schema: "json" }],
  [{ asJson: true, schema: "[]" }, { schema: "object" }],
  [{ asJson: true, schema: "null" }, { schema: "object" }],
])("%j is refused", (change, expected) => {
  expect(faults(change)).toEqual(expected);
});

test("a schema counts only while the answer is to be JSON", () => {
  expect(checkDraft({ ...draft, schema: "{" })).toMatchObject({ task: { schema: null } });
  const schema = { type: "object" };
  const checked = checkDraft({ ...draft, asJson: true, schema: JSON.stringify(schema) });
  expect(checked).toMatchObject({ task: { schema } });
});
