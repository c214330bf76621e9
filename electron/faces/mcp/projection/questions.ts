import { type InputRequest, isSpecType } from "@modelcontextprotocol/server";
import type { Json } from "../../../../shared/json";
import { ProblemError } from "../../../../shared/problem";
import type { Answer, QuestionBody, QuestionType } from "../../../../shared/question";

/** A question as the request that both generations know, whichever way it travels. */
export function inputRequestOf(body: QuestionBody): InputRequest {
  switch (body.type) {
    case "form":
      return {
        method: "elicitation/create",
        params: { mode: "form", message: body.message, requestedSchema: jsonOf(body.schema) },
      };
    case "sampling":
      return { method: "sampling/createMessage", params: jsonOf(body.request) };
    case "roots":
      return { method: "roots/list" };
  }
}

/**
 * What the client answered to such a request. Throws ProblemError `invalid_request` when it is no answer to it; whether
 * the content of a form fits its schema, the engine decides.
 */
export function answerOf(type: QuestionType, response: unknown): Answer {
  return readers[type](response);
}

const readers: Readonly<Record<QuestionType, (response: unknown) => Answer>> = {
  form(response) {
    if (!isSpecType.ElicitResult(response)) throw noAnswer("an ElicitResult");
    const { action, content } = response;
    return action === "accept" ? { action, content: jsonOf<Json>(content ?? {}) } : { action };
  },
  sampling(response) {
    if (!isSpecType.CreateMessageResult(response)) throw noAnswer("a CreateMessageResult");
    return { action: "accept", content: jsonOf<Json>(response) };
  },
  roots(response) {
    if (!isSpecType.ListRootsResult(response)) throw noAnswer("a ListRootsResult");
    return { action: "accept", content: jsonOf<Json>(response) };
  },
};

function noAnswer(what: string): ProblemError {
  return new ProblemError("invalid_request", `response: must be ${what}`);
}

/** Both sides are JSON that was checked before; only their types were written by different hands. */
function jsonOf<T>(value: unknown): T {
  return structuredClone(value) as T;
}
