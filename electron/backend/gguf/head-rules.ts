const words = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Architectures whose heads may have keys of another length than values; all others end the process over it. */
export const withUnequalHeads = words(
  "bailingmoe3 deepseek2 deepseek2-ocr deepseek32 dots3note glm-dsa kimi-k3 kimi-linear mimo2 minicpm3 mistral4 plamo2 plamo3 plm step35",
);

/** Architectures that turn (RoPE) the whole of each key, and end the process when told to turn a part. */
export const withWholeRotation = words(
  "apertus arcee arctic baichuan chameleon codeshell cogvlm cohere2moe dbrx deci deepseek dots1 dream ernie4_5 ernie4_5-moe " +
    "exaone exaone-moe exaone4 falcon granite granite_swa granitemoe graniteswitch grok grovemoe hunyuan-dense hunyuan-moe " +
    "hunyuan_vl hy_v3 internlm2 jais2 llada llada-moe llama llama4 maincoder mellum minicpm mistral3 olmo olmo2 olmoe orion " +
    "paddleocr pangu-embedded plamo qwen2 qwen2moe qwen2vl qwen3 qwen3moe qwen3vl qwen3vlmoe qwen3tts rnd1 seed_oss " +
    "smallthinker smollm3 starcoder2 talkie xverse",
);

/** Architectures whose heads take up exactly the embedding, and end the process when they do not. */
export const withSquareAttention = words(
  "arctic baichuan bitnet bloom chameleon chatglm codeshell cohere2 command-r dbrx deepseek dream exaone4 falcon gpt2 gptneox " +
    "grok internlm2 jais jamba lfm2 lfm2moe llada-moe mpt nemotron olmo olmo2 olmoe orion phi2 phi3 phimoe plamo qwen qwen2 " +
    "qwen2moe qwen2vl stablelm starcoder starcoder2 xverse",
);
