import { isDeepStrictEqual } from "node:util";
import { isTerminal } from "../../../shared/lifecycle";
import type { Outcome } from "../../../shared/task";
import { expectedText, scripts } from "../host/scripts";
import type { StoredTask } from "../readings/stored";
import type { SeenTask } from "../record/recorder";
import { acknowledged, type Check, type Evidence, wasTold } from "./evidence";

/** Nothing is left that nobody works on, and every end has its outcome and its one event. */
export const everythingEnded: Check = ({ stored }) =>
  stored.tasks.flatMap(({ id, status, outcome, events }) => [
    ...(isTerminal(status) ? [] : [`the task ${id} is still ${status}`]),
    ...(outcome?.kind === kindOf[status] ? [] : [`the task ${id} is ${status} with ${JSON.stringify(outcome)}`]),
    ...(events.filter(({ body }) => body.type === "ended").length === 1 && events.at(-1)?.body.type === "ended"
      ? []
      : [`the task ${id} has not exactly one end in its log`]),
  ]);

const kindOf: Partial<Record<StoredTask["status"], Outcome["kind"]>> = {
  succeeded: "result",
  failed: "error",
  cancelled: "cancelled",
};

/** A task ends as its policy and its cancels let it: no other failure has a reason here. */
export const endsWithReason: Check = ({ recorded, stored }) =>
  acknowledged({ recorded, stored }).flatMap(({ seen: { id, plan }, row }) => {
    if (row === undefined) return [];
    const { outcome } = row;
    const mayBeCancelled = wasTold(recorded, id, "cancel sent");
    const cancelled = outcome?.kind === "cancelled";
    const code = outcome?.kind === "error" ? outcome.problem.code : undefined;
    const mayFail = row.onRestart === "fail" && (code === "server_restarted" || code === "backend_crashed");
    return [
      ...(cancelled && !mayBeCancelled ? [`the task ${id} (${plan.key}) was cancelled by nobody`] : []),
      ...(code !== undefined && !mayFail
        ? [`the task ${id} (${row.onRestart}, ${plan.key}) failed: ${JSON.stringify(outcome)}`]
        : []),
      ...(wasTold(recorded, id, "cancelled") && !cancelled
        ? [`the cancelled task ${id} came back: ${row.status}`]
        : []),
      ...(wasTold(recorded, id, "too late") && cancelled ? [`the ended task ${id} was cancelled after all`] : []),
    ];
  });

/** What clients heard of a task lies on its path, and an end that they heard of is its end. */
export const heardIsTrue: Check = ({ recorded, stored }) =>
  recorded.told.flatMap((told) => {
    if (told.what !== "status") return [];
    const row = stored.tasks.find(({ id }) => id === told.taskId);
    if (row === undefined) return [];
    const shown = row.changes.map(({ to }) => (to === "input_required" ? "running" : to));
    const isEnd = ["succeeded", "failed", "cancelled"].includes(told.status);
    if (isEnd ? row.status === told.status : shown.some((status) => status === told.status)) return [];
    return [`a client heard that ${told.taskId} is ${told.status}; its path is ${shown.join(", ")}`];
  });

/** A scripted model always writes the same to the same prompt, so each text that is complete is known beforehand. */
export const completeTexts: Check = ({ recorded, stored, final }) => [
  ...acknowledged({ recorded, stored }).flatMap(({ seen, row }) => {
    const expected = textOf(seen, row?.model ?? null);
    const end = final.get(seen.id);
    if (expected === undefined || end?.task.status !== "succeeded" || end.text === expected) return [];
    return [
      `the text of ${seen.id} (${row?.onRestart}) is ${JSON.stringify(end.text)}, not ${JSON.stringify(expected)}`,
    ];
  }),
  ...recorded.told.flatMap((told) => {
    if (told.what !== "plain answer") return [];
    const row = stored.tasks.find(({ responseId }) => responseId === told.responseId);
    const kept = row?.outcome?.kind === "result" ? row.outcome.result.items : [];
    return kept.map(({ text }) => text).join("") === told.text
      ? []
      : [`the answered call ${told.responseId} is not stored`];
  }),
];

function textOf({ plan: { work } }: SeenTask, model: string | null): string | undefined {
  if (model === null || !(model in scripts)) return undefined;
  if (work.kind === "text") return expectedText(model, work.prompt, work.maxTokens);
  return work.kind === "model" ? expectedText(model, work.prompt, Number.POSITIVE_INFINITY) : undefined;
}

/** An answer that was taken stays; a result is what the person said, or one text for each input. */
export const answersKept: Check = (evidence) =>
  acknowledged(evidence).flatMap(({ seen, row }) => (row === undefined ? [] : answerFaults(evidence, seen, row)));

function answerFaults({ recorded }: Evidence, { id, plan: { work } }: SeenTask, row: StoredTask): string[] {
  const result = row.outcome?.kind === "result" ? row.outcome.result : undefined;
  const told = recorded.told.filter((one) => "taskId" in one && one.taskId === id);
  // MCP acknowledges an answer also when a cancel was faster.
  const wasEarly = row.outcome?.kind !== "cancelled";
  const taken = told.flatMap((one) => (one.what === "answered" && wasEarly ? [one.content] : []));
  const stored = row.questions.map(({ answered }) =>
    answered?.answer.action === "accept" ? answered.answer.content : null,
  );
  const results = told.flatMap((one) => (one.what === "result" ? [one.data] : []));
  return [
    ...(new Set(row.questions.map(({ key }) => key)).size === row.questions.length ? [] : [`${id} asked twice`]),
    ...(taken.every((content) => isDeepStrictEqual(content, stored[0])) ? [] : [`the answer to ${id} is not kept`]),
    ...(results.every((data) => isDeepStrictEqual(data, result?.data)) ? [] : [`the result of ${id} is another`]),
    ...(result === undefined || isDeepStrictEqual(result.data, dataOf(work, row.model) ?? result.data)
      ? []
      : [`the result of ${id} is ${JSON.stringify(result.data)}`]),
  ];
}

function dataOf(work: SeenTask["plan"]["work"], model: string | null): unknown {
  if (work.kind === "person")
    return work.answer === "accept"
      ? { action: "accept", content: { answer: work.question } }
      : { action: work.answer };
  if (work.kind !== "batch" || model === null || !(model in scripts)) return undefined;
  const items = work.inputs.map((input) => expectedText(model, `What is ${input}?`, Number.POSITIVE_INFINITY));
  return { items: items.map((text, index) => ({ index, ok: true, text })) };
}
