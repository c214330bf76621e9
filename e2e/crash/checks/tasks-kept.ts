import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../../shared/json";
import { batchTemplate } from "../load/mcp-task";
import type { Work } from "../plan/planned-task";
import { acknowledged, type Check, type Evidence } from "./evidence";

/** Every acknowledged task is there, with the input that its client sent and the policy that it asked for. */
export function tasksKept(evidence: Pick<Evidence, "recorded" | "stored">): readonly string[] {
  return acknowledged(evidence).flatMap(({ seen: { id, plan }, row }) => {
    if (row === undefined) return [`the acknowledged task ${id} is gone`];
    const policy = plan.face === "lmsp" ? plan.policy : "resume";
    return [
      ...(isDeepStrictEqual(row.input, inputOf(plan.work))
        ? []
        : [`the input of ${id} is ${JSON.stringify(row.input)}`]),
      ...(row.onRestart === policy ? [] : [`the policy of ${id} is ${row.onRestart}, not ${policy}`]),
      ...(row.client === plan.client ? [] : [`the task ${id} belongs to ${row.client}, not ${plan.client}`]),
    ];
  });
}

/** However often a create was sent, there is one task of it at most. */
export const oneTaskPerCreate: Check = ({ recorded, stored }) => {
  const keyed = stored.tasks.filter(({ key }) => key !== null);
  const owners = new Map(keyed.map(({ client, key, id }) => [`${client} ${key}`, id]));
  return recorded.tasks.flatMap(({ id, plan }) => {
    const expected = plan.delivery === "once" ? id : owners.get(`${plan.client} ${plan.key}`);
    const input = JSON.stringify(inputOf(plan.work));
    const same = stored.tasks.filter((row) => JSON.stringify(row.input) === input && row.client === plan.client);
    return [
      ...(expected === id ? [] : [`the key of ${id} belongs to ${expected}`]),
      ...(same.length <= 1 ? [] : [`${plan.key} made ${same.length} tasks`]),
    ];
  });
};

/** What the product's faces make of such a request, said once more. */
function inputOf(work: Work): Json {
  switch (work.kind) {
    case "text": {
      const { prompt, maxTokens, temperature, format } = work;
      // Out of a JSON body it came as plain data.
      const data = JSON.parse(JSON.stringify(format)) as Json;
      return {
        messages: [{ role: "user", text: prompt }],
        options: { maxTokens, temperature, stop: [], format: data },
      };
    }
    case "model":
      return { messages: [{ role: "user", text: work.prompt }], options: { stop: [], format: { type: "text" } } };
    case "batch":
      return { template: batchTemplate, inputs: work.inputs };
    case "person":
      return { question: work.question };
    case "plain":
      return null;
  }
}
