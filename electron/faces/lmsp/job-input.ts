import type { Json } from "../../../shared/json";
import { type Message, type TextFormat, titleOf, type WritingOptions } from "../../../shared/message";
import { job } from "./caller";
import { contentText, type ResponseRequest } from "./request";

/** The task that a response request asks for, as far as the request decides it. */
export function respondDraft(request: ResponseRequest) {
  const messages = messagesOf(request);
  return {
    origin: "lmsp",
    job,
    title: titleOf(messages),
    model: request.model ?? null,
    unnamedModel: "refuse",
    // All of it came out of a JSON body.
    input: { messages, options: optionsOf(request) } as unknown as Json,
    ttl: null,
    answers: [],
    faceData: null,
  } as const;
}

function messagesOf({ instructions, input }: ResponseRequest): Message[] {
  const turns: Message[] =
    typeof input === "string"
      ? [{ role: "user", text: input }]
      : input.map(({ role, content }) => ({
          role: role === "developer" ? "system" : role,
          text: contentText(content),
        }));
  // An empty turn changes nothing, so no template gets to see it.
  return [{ role: "system" as const, text: instructions ?? "" }, ...turns].filter((turn) => turn.text !== "");
}

function optionsOf(request: ResponseRequest): WritingOptions {
  const { max_output_tokens, temperature, top_p, seed, stop } = request;
  return {
    ...(max_output_tokens == null ? {} : { maxTokens: max_output_tokens }),
    ...(temperature == null ? {} : { temperature }),
    ...(top_p == null ? {} : { topP: top_p }),
    ...(seed == null ? {} : { seed }),
    stop: [stop ?? []].flat(),
    format: formatOf(request),
  };
}

function formatOf({ text }: ResponseRequest): TextFormat {
  const format = text?.format ?? { type: "text" };
  return format.type === "json_schema" ? { type: format.type, schema: format.schema } : { type: format.type };
}
