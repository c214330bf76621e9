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
  const template = model.fileInfo.metadata.tokenizer?.chat_template ?? "";
  const own = template === "" ? undefined : ownWrapper(model, template);
  if (own !== undefined && isPlainChatML(own, model, template)) return new ChatMLChatWrapper();
  const known = resolveChatWrapper(model, { warningLogs: false });
  // The library may take a template for a known one that it equals in all but the thinking.
  return thinks(known) || own === undefined || !thinks(own) ? known : own;
}

/** The template as it is; undefined when the library cannot run it. */
function ownWrapper(model: LlamaModel, template: string): ChatWrapper | undefined {
  try {
    const { tokenizer } = model;
    return new JinjaTemplateChatWrapper({ template, tokenizer, functionCallMessageTemplate: "noJinja" });
  } catch {
    return undefined; // a template of another kind, for which the library may know a substitute
  }
}

function thinks(wrapper: ChatWrapper): boolean {
  return wrapper.settings.segments?.thought !== undefined;
}

/** Whether the template does what ChatML does and nothing else. */
function isPlainChatML(own: ChatWrapper, model: LlamaModel, template: string): boolean {
  if (!template.includes("<|im_start|>") || /think|reason|tool/i.test(template)) return false;
  const chatML = new ChatMLChatWrapper();
  try {
    return samples.every((sample) => tokensOf(own, model, sample) === tokensOf(chatML, model, sample));
  } catch {
    return false; // it refuses a sample, which ChatML does not
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
