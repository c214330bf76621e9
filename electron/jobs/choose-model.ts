import { z } from "zod";
import { ProblemError, problemOf } from "../../shared/problem";
import type { Answer, QuestionBody } from "../../shared/question";
import type { JobContext } from "../engine/job";
import type { ModelListing } from "../engine/models";

const contentSchema = z.object({ model: z.string() });

/**
 * A task that was made without a model gets one before it writes: somebody is asked which. Throws ProblemError
 * `model_required` when the question is declined or dismissed, `nobody_to_ask` when there is nobody who could answer.
 */
export async function chooseModel(context: JobContext): Promise<void> {
  if (context.task.model !== null) return;
  const models = await context.models();
  if (models.length === 0) throw new ProblemError("model_not_found", "No model is installed; install one first.");
  const answer = await ask(context, models);
  if (answer.action !== "accept")
    throw new ProblemError("model_required", `${refusals[answer.action]}; name one of them: ${namesOf(models)}.`);
  await context.useModel(contentSchema.parse(answer.content).model);
}

const refusals = {
  decline: "The question which model to use was declined",
  cancel: "The question which model to use was dismissed",
} as const satisfies Record<Exclude<Answer["action"], "accept">, string>;

async function ask(context: JobContext, models: readonly ModelListing[]): Promise<Answer> {
  try {
    return await context.ask("model", questionOf(models));
  } catch (error) {
    if (problemOf(error).code !== "nobody_to_ask") throw error;
    const detail = `Several models are installed and nobody can be asked which to use; name one: ${namesOf(models)}.`;
    throw new ProblemError("nobody_to_ask", detail, { cause: error });
  }
}

function questionOf(models: readonly ModelListing[]): QuestionBody {
  const choices = models.map((model) => ({ const: model.id, title: titleOf(model) }));
  return {
    type: "form",
    message: "Several models are installed. Which one shall this task use?",
    schema: {
      type: "object",
      properties: { model: { type: "string", title: "Model", oneOf: choices } },
      required: ["model"],
    },
  };
}

/** What helps to choose: how large it is, how much it can hold, and whether it is ready. */
function titleOf({ id, sizeBytes, contextLength, loaded }: ModelListing): string {
  const facts = [
    sizeBytes < 1e9 ? `${Math.ceil(sizeBytes / 1e6)} MB` : `${(sizeBytes / 1e9).toFixed(1)} GB`,
    ...(contextLength === null ? [] : [`context of ${contextLength.toLocaleString("en")} tokens`]),
    ...(loaded ? ["loaded"] : []),
  ];
  return `${id} (${facts.join(", ")})`;
}

function namesOf(models: readonly ModelListing[]): string {
  return models.map(({ id }) => id).join(", ");
}
