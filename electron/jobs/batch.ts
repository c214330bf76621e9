import { z } from "zod";
import type { Json } from "../../shared/json";
import { type Message, titleOf } from "../../shared/message";
import { type ProblemCode, problemOf } from "../../shared/problem";
import { finishes } from "../../shared/task";
import type { Job, JobContext } from "../engine/job";
import type { TaskTool } from "../engine/tool";
import { chooseModel } from "./choose-model";
import { addUsage, collectText, noUsage, type Written } from "./collect-text";
import { text, writingArguments, writingOptions } from "./writing-arguments";

const place = "{{input}}";

const input = z.strictObject({
  template: text
    .regex(/\{\{input\}\}/, `must contain ${place}`)
    .describe(`The prompt; each input is put where it says ${place}, which may be more than once.`),
  inputs: z.array(text).min(1).max(1_000).describe("What is put into the template, one after the other."),
  ...writingArguments,
});

const index = z.int().min(0).describe("Place in `inputs`, from 0.");

const output = z.strictObject({
  items: z
    .array(
      z.discriminatedUnion("ok", [
        z.strictObject({
          index,
          ok: z.literal(true),
          text: z.string(),
          finish: z
            .enum(finishes)
            .exclude(["completed"])
            .exactOptional()
            .describe("Why the text is cut short; absent when it is not."),
        }),
        z.strictObject({
          index,
          ok: z.literal(false),
          error: z.strictObject({ code: z.string(), detail: z.string() }),
        }),
      ]),
    )
    .describe("One for each input, in their order."),
});

type Request = z.output<typeof input>;
type Item = z.output<typeof output>["items"][number];
/** What became of one input, as its step records it. */
type Filled = Written | { readonly error: { readonly code: string; readonly detail: string } };

/** Faults of one input, which the others need not have; whatever else happens concerns the whole task. */
const faultsOfOne: readonly ProblemCode[] = ["context_length_exceeded", "invalid_request"];

/** Answers one prompt for each input. It succeeds also when some of them fail, or all: each says so for itself. */
export const batchJob: Job = {
  name: "batch",
  async run(context) {
    const request = input.parse(context.input);
    await chooseModel(context);
    const total = request.inputs.length;
    const items: Item[] = [];
    let usage = noUsage;
    for (const [index, value] of request.inputs.entries()) {
      context.progress(index, total, `Input ${index + 1} of ${total}`);
      const filled = await context.step(`input ${index}`, () => fill(context, request, value));
      if ("usage" in filled) usage = addUsage(usage, filled.usage);
      items.push(itemOf(index, filled));
    }
    context.progress(total, total, "All inputs are done");
    return { items: [], finish: "completed", usage, data: { items } };
  },
};

export const batch: TaskTool = {
  kind: "task",
  name: "batch",
  title: "Ask a local model about many inputs",
  description: [
    "Puts each of up to 1,000 inputs into a template and has a language model that runs on this computer answer every prompt, one after the other.",
    "Use it to classify, extract, translate or rewrite many short texts in the same way.",
    "Returns one item for each input, in their order; an input that fails has an error there and does not stop the others.",
    "For a single prompt use generate.",
  ].join(" "),
  input,
  output,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  taskSupport: "optional",
  job: batchJob.name,
  draft(args) {
    const { model = null, ...request } = input.parse(args);
    return {
      title: titleOf([{ role: "user", text: request.template }]),
      // All of it came out of a JSON body.
      input: request as unknown as Json,
      model,
      unnamedModel: "ask",
    };
  },
};

async function fill(context: JobContext, request: Request, value: string): Promise<Filled> {
  const messages: Message[] = [
    ...(request.system ? [{ role: "system" as const, text: request.system }] : []),
    // By a function: in a text, `$&` and the like would be replaced too.
    { role: "user", text: request.template.replaceAll(place, () => value) },
  ];
  try {
    return await collectText(context.generate(messages, writingOptions(request)));
  } catch (error) {
    const { code, detail } = problemOf(error);
    if (!faultsOfOne.includes(code)) throw error;
    return { error: { code, detail } };
  }
}

function itemOf(index: number, filled: Filled): Item {
  if ("error" in filled) return { index, ok: false, error: filled.error };
  const { text, finish } = filled;
  return finish === "completed" ? { index, ok: true, text } : { index, ok: true, text, finish };
}
