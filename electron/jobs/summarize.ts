import { z } from "zod";
import type { Json } from "../../shared/json";
import { titleOf } from "../../shared/message";
import type { Job } from "../engine/job";
import type { TaskTool } from "../engine/tool";
import { chooseModel } from "./choose-model";
import { Summary } from "./summary";
import { modelArguments, text } from "./writing-arguments";

const input = z.strictObject({
  text: text.regex(/\S/, "holds no text").describe("The whole text, of any length; not a file name or an address."),
  instructions: text
    .optional()
    .describe("What the summary shall be like: its length, form, language, or what to look for."),
  ...modelArguments,
});

export const summarizeJob: Job = {
  name: "summarize",
  async run(context) {
    const request = input.parse(context.input);
    await chooseModel(context);
    const summary = await Summary.begin(context, request);
    return summary.write();
  },
};

export const summarize: TaskTool = {
  kind: "task",
  name: "summarize",
  title: "Summarize with a local model",
  description: [
    "Summarizes a text of any length with a language model that runs on this computer. A text longer than the model's context is summarized part by part, then the summaries are.",
    "Use it for long texts, and for texts that should not leave this computer.",
    "For anything else than a summary use generate; for many separate texts use batch.",
  ].join(" "),
  input,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  taskSupport: "optional",
  job: summarizeJob.name,
  draft(args) {
    const { model = null, ...request } = input.parse(args);
    return {
      title: titleOf([{ role: "user", text: request.text }]),
      // All of it came out of a JSON body.
      input: request as unknown as Json,
      model,
      unnamedModel: "ask",
    };
  },
};
