import { createHash } from "node:crypto";
import type { ScriptedModel } from "../../../electron/backend/scripted/script";
import { cut } from "../../../electron/backend/scripted/vocabulary";
import type { GenerateRequest } from "../../../electron/engine/backend";

const words = ["one", "two", "drei", "quatre", "пять", "六", "سبعة", "🍎", "naïve", "end."];
const thought = "<think>Let me see what this is about. </think>";
const promptOf = ({ messages }: GenerateRequest) => messages.at(-1)?.text ?? "";

/** What every scripted model writes to a prompt: always the same. */
export function textFor(prompt: string): string {
  const digest = createHash("sha256").update(prompt).digest();
  const count = 30 + digest.readUInt8(0) / 2;
  return Array.from({ length: count }, (_, index) => words[digest.readUInt8(index % 32) % words.length]).join(" ");
}

/** What a task ends with that nobody cancels. */
export function expectedText(model: string, prompt: string, maxTokens: number): string {
  if (model !== "swift") return textFor(prompt);
  const bytes = cut(textFor(prompt), "words").slice(0, maxTokens).flat();
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** The models of a scripted round: tokens of words and of bytes, one that thinks, one that does not hear a stop. */
export const scripts = {
  swift: { answer: (request) => textFor(promptOf(request)), delay: 1, parallel: 4 },
  steady: { answer: (request) => textFor(promptOf(request)), cut: "bytes", delay: 1, parallel: 2 },
  ponder: {
    answer: (request) => `${thought}${textFor(promptOf(request))}`,
    thinking: { open: "<think>", close: "</think>", startsOpen: false },
    delay: 1,
  },
  deaf: { answer: (request) => textFor(promptOf(request)), deaf: true, delay: 12, parallel: 2 },
} as const satisfies Readonly<Record<string, ScriptedModel>>;
