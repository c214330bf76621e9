import {
  type ChatHistoryItem,
  ChatMLChatWrapper,
  type ChatWrapper,
  JinjaTemplateChatWrapper,
  type LlamaModel,
  resolveChatWrapper,
} from "node-llama-cpp";

/**
 * How the model wants a conversation written. The library tries template after template against the model's own, which
 * keeps the process busy for a second or more; the commonest template is recognised here in milliseconds.
 */
export function chatTemplateOf(model: LlamaModel): ChatWrapper {
  return plainChatML(model) ?? resolveChatWrapper(model, { warningLogs: false });
}

/** The wrapper for a template that does what ChatML does and nothing else. */
function plainChatML(model: LlamaModel): ChatWrapper | undefined {
  const template = model.fileInfo.metadata.tokenizer?.chat_template;
  if (template === undefined || !template.includes("<|im_start|>") || /think|reason|tool/i.test(template))
    return undefined;
  const chatML = new ChatMLChatWrapper();
  try {
    const own = new JinjaTemplateChatWrapper({
      template,
      tokenizer: model.tokenizer,
      functionCallMessageTemplate: "noJinja",
    });
    return samples.every((sample) => tokensOf(own, model, sample) === tokensOf(chatML, model, sample))
      ? chatML
      : undefined;
  } catch {
    return undefined; // a template of another kind, which the library may know
  }
}

const samples: readonly ChatHistoryItem[][] = [
  [{ type: "user", text: "One?" }, model("")],
  [
    { type: "system", text: "Be brief." },
    { type: "user", text: "One?" },
    model("Two."),
    { type: "user", text: "Three?" },
    model(""),
  ],
  [
    { type: "user", text: "One?" },
    model("Two."),
    { type: "system", text: "Be brief." },
    { type: "user", text: "Three?" },
    model("Fo"),
  ],
];

function model(text: string): ChatHistoryItem {
  return { type: "model", response: text === "" ? [] : [text] };
}

function tokensOf(wrapper: ChatWrapper, { tokenizer, tokens }: LlamaModel, chatHistory: ChatHistoryItem[]): string {
  const all = wrapper.generateContextState({ chatHistory }).contextText.tokenize(tokenizer);
  return all.filter((token) => token !== tokens.bos).join();
}
