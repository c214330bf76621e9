// The bare side of the speed bench, a process of its own: llama.cpp through node-llama-cpp and nothing else.
// It is told `{prompt, tokens}` and answers how many milliseconds that many tokens took, the prompt included.
import { getLlama, LlamaLogLevel, resolveChatWrapper } from "node-llama-cpp";

const [modelPath, contextSize] = process.argv.slice(2);
const llama = await getLlama({ build: "never", gpu: false, logLevel: LlamaLogLevel.error });
const model = await llama.loadModel({ modelPath });
const context = await model.createContext({ contextSize: Number(contextSize), sequences: 1, threads: 1 });
const sequence = context.getSequence();
const wrapper = resolveChatWrapper(model);

process.on("message", async ({ prompt, tokens }) => {
  const chatHistory = [
    { type: "user", text: prompt },
    { type: "model", response: [] },
  ];
  const { contextText } = wrapper.generateContextState({ chatHistory });
  await sequence.clearHistory();
  const from = performance.now();
  let count = 0;
  for await (const _token of sequence.evaluate(contextText.tokenize(model.tokenizer), { temperature: 0 }))
    if (++count === tokens) break;
  process.send({ count, milliseconds: performance.now() - from });
});
process.on("disconnect", () => process.exit(0));
process.send("ready");
