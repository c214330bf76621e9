import { damaged, unsupported } from "./gguf-error";
import type { GgufHeader } from "./gguf-header";

/** What llama.cpp can read and what cannot write a text by itself: it would be asked for what it has no answer to. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  "makes vectors of texts and writes none": [
    ...["bert", "modern-bert", "nomic-bert", "nomic-bert-moe", "neo-bert", "jina-bert-v2", "jina-bert-v3", "eurobert"],
    ...["gemma-embedding", "llama-embed", "t5encoder"],
  ],
  "reads pictures for another model": ["clip"],
  "speaks for another model": ["wavtokenizer-dec", "pockettts"],
  "only guesses ahead for another model": ["eagle3", "dflash", "gemma4-assistant"],
};

/** The name of how the model is built, under which llama.cpp looks for everything else. Throws GgufError. */
export function architectureOf({ values }: GgufHeader): string {
  const value = values.get("general.architecture");
  if (value?.kind !== "text" || !/^[\w-]+$/.test(value.text)) {
    throw damaged("it does not say how its model is built (general.architecture)");
  }
  const kind = Object.keys(kinds).find((one) => kinds[one]?.includes(value.text));
  if (kind !== undefined) throw unsupported(`is a model that ${kind} (${value.text})`);
  return value.text;
}
