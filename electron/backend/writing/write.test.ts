import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WritingOptions } from "../../../shared/message";
import type { OutputType } from "../../../shared/task";
import type { GenerationStep } from "../../engine/backend";
import { bytesOf, cut, Vocabulary } from "../scripted/vocabulary";
import type { TokenSource } from "../token-source";
import { write } from "./write";

const thinking = { open: "<think>", close: "</think>", startsOpen: false };

interface Written {
  readonly steps: readonly GenerationStep[];
  readonly pieces: readonly Extract<GenerationStep, { type: "piece" }>[];
  readonly message: string;
  readonly reasoning: string;
  readonly ended: Extract<GenerationStep, { type: "ended" }> | undefined;
  readonly asked: number;
  readonly turns: readonly OutputType[];
}

async function written(
  tokens: readonly (readonly number[])[],
  options: Partial<WritingOptions> = {},
  source: Partial<TokenSource> = {},
): Promise<Written> {
  const vocabulary = new Vocabulary();
  const ids = tokens.map((bytes) => vocabulary.idOf(bytes));
  const turns: OutputType[] = [];
  let asked = 0;
  const steps: GenerationStep[] = [];
  const all: TokenSource = {
    next: async () => ids[asked++],
    detokenize: (some) => vocabulary.detokenize(some),
    promptTokens: 7,
    room: 1_000_000,
    endTexts: [],
    outputChanged: (output) => turns.push(output),
  };
  // A getter stays one.
  Object.defineProperties(all, Object.getOwnPropertyDescriptors(source));
  for await (const step of write(all, { stop: [], format: { type: "text" }, ...options })) steps.push(step);
  const pieces = steps.filter((step) => step.type === "piece");
  const textOf = (output: OutputType) =>
    pieces.filter((piece) => piece.output === output).reduce((text, piece) => text + piece.text, "");
  const last = steps.at(-1);
  return {
    steps,
    pieces,
    message: textOf("message"),
    reasoning: textOf("reasoning"),
    ended: last?.type === "ended" ? last : undefined,
    asked,
    turns,
  };
}

/** A text cut at every given byte offset; offsets may fall inside a character. */
function cutAt(text: Uint8Array, offsets: readonly number[]): readonly (readonly number[])[] {
  const edges = [...new Set([0, ...offsets.map((offset) => offset % (text.length + 1)), text.length])];
  edges.sort((a, b) => a - b);
  return edges.slice(1).map((edge, index) => [...text.subarray(edges[index], edge)]);
}

function untilFirstStop(text: string, stops: readonly string[]): string {
  for (let end = 1; end <= text.length; end++) {
    const found = stops.filter((stop) => text.slice(0, end).endsWith(stop)).sort((a, b) => b.length - a.length)[0];
    if (found !== undefined) return text.slice(0, end - found.length);
  }
  return text;
}

const isWellFormed = (text: string) => !/\p{Surrogate}/u.test(text);
const bits = [
  "a",
  "b",
  "ab",
  "é",
  "e\u0301",
  "語",
  "文字",
  "😀",
  "👨‍👩‍👧‍👦",
  "🏳️‍🌈",
  "\u{1F1E9}\u{1F1EA}",
  "\uFFFD",
  "\uFEFF",
  " ",
  "\n",
  "<",
  "\0",
];
const texts = fc.array(fc.constantFrom(...bits), { maxLength: 24 }).map((some) => some.join(""));
const offsets = fc.array(fc.nat({ max: 400 }), { maxLength: 80 });
const stopTexts = fc.array(
  fc.array(fc.constantFrom(...bits), { minLength: 1, maxLength: 4 }).map((some) => some.join("")),
  { maxLength: 4 },
);

describe("writing", () => {
  it("gives the same text however its bytes are cut into tokens", async () => {
    await fc.assert(
      fc.asyncProperty(texts, offsets, async (text, where) => {
        const { message, pieces } = await written(cutAt(bytesOf(text), where));
        // A last U+FFFD cannot be told from a character that was cut off.
        expect(message).toBe(text.replace(/\uFFFD$/, ""));
        expect(pieces.every((piece) => isWellFormed(piece.text))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it("ends at the first stop string and never shows any of it", async () => {
    await fc.assert(
      fc.asyncProperty(texts, offsets, stopTexts, async (text, where, stop) => {
        const shown = text.replace(/\uFFFD$/, "");
        const { message, pieces, ended } = await written(cutAt(bytesOf(text), where), { stop });
        const expected = untilFirstStop(shown, stop);
        expect(message).toBe(expected);
        expect(ended?.reason).toBe(
          expected === shown && !stop.some((one) => shown.includes(one)) ? "end" : "stop_string",
        );
        expect(stop.some((one) => message.includes(one))).toBe(false);
        expect(pieces.every((piece) => isWellFormed(piece.text))).toBe(true);
      }),
      { numRuns: 800 },
    );
  });

  it("reads any bytes as a decoder would, keeping whole characters among them", async () => {
    const bytes = fc.array(
      fc.oneof(
        fc.constantFrom(...bits).map((text) => [...bytesOf(text)]),
        fc.constantFrom(
          [0x80],
          [0xff],
          [0xe2],
          [0xe2, 0x82],
          [0xf0, 0x9f],
          [0xc3],
          [0xf0, 0x9f, 0x98],
          [0xed, 0xa0, 0x80],
        ),
      ),
      { maxLength: 24 },
    );
    await fc.assert(
      fc.asyncProperty(bytes, offsets, async (parts, where) => {
        const all = Uint8Array.from(parts.flat());
        const { message, pieces } = await written(cutAt(all, where));
        expect(message).toBe(new TextDecoder("utf-8", { ignoreBOM: true }).decode(all).replace(/\uFFFD$/, ""));
        expect(pieces.every((piece) => isWellFormed(piece.text))).toBe(true);
      }),
      { numRuns: 800 },
    );
  });

  it("accounts for every token exactly once and in order, also while its text is held back", async () => {
    await fc.assert(
      fc.asyncProperty(texts, offsets, stopTexts, async (text, where, stop) => {
        const tokens = cutAt(bytesOf(text), where);
        const vocabulary = new Vocabulary();
        const ids = tokens.map((token) => vocabulary.idOf(token));
        const { pieces, ended } = await written(tokens, { stop });
        const seen = pieces.flatMap((piece) => piece.tokens);
        expect(seen).toEqual(ids.slice(0, seen.length));
        expect(ended?.usage.outputTokens).toBe(seen.length);
      }),
    );
  });

  it("asks for no detokenizing of more than a handful of tokens, whatever they are", async () => {
    const vocabulary = new Vocabulary();
    const garbage = vocabulary.idOf([0x80]);
    let most = 0;
    let left = 500;
    await written(
      [],
      {},
      {
        next: async () => (left-- > 0 ? garbage : undefined),
        detokenize(tokens, before) {
          most = Math.max(most, tokens.length + before.length);
          return vocabulary.detokenize(tokens);
        },
      },
    );
    expect(most).toBeLessThanOrEqual(8);
  });

  it("shows the tokens before, so that a leading blank is the source's to decide", async () => {
    const words = ["Long", "live", "words"];
    let asked = 0;
    const { message } = await written(
      [],
      {},
      {
        next: async () => (asked < words.length ? asked++ : undefined),
        detokenize: (tokens, before) =>
          tokens.map((id, index) => (index + before.length === 0 ? "" : " ") + words[id]).join(""),
      },
    );
    expect(message).toBe("Long live words");
  });

  it("never tears an emoji that comes one byte per token", async () => {
    const { pieces } = await written(cut("👍a", "bytes"));
    expect(pieces.map((piece) => piece.text)).toEqual(["", "", "", "👍", "a"]);
    expect(pieces.map((piece) => piece.tokens.length)).toEqual([1, 1, 1, 1, 1]);
  });

  it("drops a character that the end cuts off", async () => {
    const { message, ended } = await written([[0x61], [0xf0, 0x9f], [0x98]], { maxTokens: 3 });
    expect(message).toBe("a");
    expect(ended).toEqual({ type: "ended", reason: "max_tokens", usage: { inputTokens: 7, outputTokens: 3 } });
  });
});

describe("stop strings", () => {
  it("gives what only looked like one when the model ends", async () => {
    const { message, ended } = await written(cut("ple as", "characters"), { stop: ["assistant<|end|>"] });
    expect(message).toBe("ple as");
    expect(ended?.reason).toBe("end");
  });

  it("gives what only looked like one when a limit ends the output", async () => {
    const { message, ended } = await written(cut("please", "characters"), { stop: ["assistant"], maxTokens: 5 });
    expect(message).toBe("pleas");
    expect(ended?.reason).toBe("max_tokens");
  });

  it("shows nothing of a long one that comes letter by letter", async () => {
    const { pieces, ended } = await written(cut("ABCDEFGHIJKLMNOP", "characters"), { stop: ["DEFGHIJ"] });
    expect(pieces.map((piece) => piece.text)).toEqual(["A", "B", "C", "", "", "", "", "", "", ""]);
    expect(ended).toMatchObject({ reason: "stop_string", usage: { outputTokens: 10 } });
  });

  it.each([
    [["AB", "ABC"], "xABC", "x"],
    [["ABC", "BX"], "ABX", "A"],
    [["aab"], "aaab", "a"],
    [["b", "aab"], "xaab", "x"],
  ])("finds the first to end of %j in %s", async (stop, text, shown) => {
    for (const how of ["characters", "words"] as const) {
      expect((await written(cut(text, how), { stop })).message).toBe(shown);
    }
  });

  it("never ends a turn early for an empty or torn one", async () => {
    const { message, ended } = await written(cut("a😀", "characters"), { stop: ["", "\uDE00", "\uD83D"] });
    expect([message, ended?.reason]).toEqual(["a😀", "end"]);
  });

  it("takes the chat template's end of turn as the model's own end", async () => {
    const { message, ended } = await written(cut("Bye<|im_end|>", "characters"), {}, { endTexts: ["<|im_end|>"] });
    expect([message, ended?.reason]).toEqual(["Bye", "end"]);
  });

  it("finds one that the last allowed token completes", async () => {
    const { message, ended } = await written(cut("xEND", "characters"), { stop: ["END"], maxTokens: 4 });
    expect([message, ended?.reason]).toEqual(["x", "stop_string"]);
  });
});

describe("limits", () => {
  it("ends at the client's limit without asking for another token", async () => {
    const { message, ended, asked } = await written(cut("abcdef", "characters"), { maxTokens: 3 });
    expect([message, ended?.reason, asked]).toEqual(["abc", "max_tokens", 3]);
  });

  it("ends when the context is full", async () => {
    let room = 2;
    const vocabulary = new Vocabulary();
    const { message, ended } = await written(
      [],
      {},
      {
        async next() {
          if (room-- < 0) throw new Error("The context is over-full");
          return vocabulary.idOf([0x61]);
        },
        get room() {
          return room;
        },
        detokenize: (tokens) => vocabulary.detokenize(tokens),
      },
    );
    expect([message, ended?.reason]).toEqual(["aa", "context_full"]);
  });

  it("does not count the model's end as output", async () => {
    const { ended } = await written(cut("abc", "characters"));
    expect(ended).toEqual({ type: "ended", reason: "end", usage: { inputTokens: 7, outputTokens: 3 } });
  });

  it("throws what the source throws", async () => {
    const reason = new Error("stopped");
    await expect(written([], {}, { next: () => Promise.reject(reason) })).rejects.toBe(reason);
  });
});

describe("thinking", () => {
  it("is kept apart from the answer, without its markers, however it is cut", async () => {
    const text = "\n<think>\nHm < 3, STOP? </thin>k\n</think>\n\n Yes STOP no";
    await fc.assert(
      fc.asyncProperty(offsets, async (where) => {
        const result = await written(cutAt(bytesOf(text), where), { stop: ["STOP"] }, { thinking });
        expect(result.reasoning).toBe("\nHm < 3, STOP? </thin>k\n");
        expect(result.message).toBe("Yes ");
        expect(result.ended?.reason).toBe("stop_string");
      }),
    );
  });

  it("starts in the thought when the prompt opened it", async () => {
    const result = await written(cut("hm</think>ok", "words"), {}, { thinking: { ...thinking, startsOpen: true } });
    expect(result.pieces).toMatchObject([
      { output: "reasoning", text: "hm", tokens: [expect.any(Number)] },
      { output: "message", text: "ok", tokens: [] },
    ]);
  });

  it("gives a thought that never ends as a thought, with what looked like its end", async () => {
    const result = await written(cut("<think>on and on</th", "characters"), { maxTokens: 20 }, { thinking });
    expect([result.reasoning, result.message, result.ended?.reason]).toEqual(["on and on</th", "", "max_tokens"]);
  });

  it("loses no blanks of an answer without a thought", async () => {
    expect((await written(cut("  \n x ", "characters"), {}, { thinking })).message).toBe("  \n x ");
    expect((await written(cut(" \n", "characters"), {}, { thinking })).message).toBe(" \n");
    expect((await written(cut(" \nEND", "characters"), { stop: ["END"] }, { thinking })).message).toBe(" \n");
  });

  it("tells the source of each change before asking for the next token", async () => {
    const log: string[] = [];
    const vocabulary = new Vocabulary();
    const ids = cut("a <think> b </think> c", "words").map((token) => vocabulary.idOf(token));
    let at = 0;
    await written(
      [],
      {},
      {
        thinking,
        detokenize: (tokens) => vocabulary.detokenize(tokens),
        async next() {
          log.push(`next ${at}`);
          return ids[at++];
        },
        outputChanged: (output) => log.push(output),
      },
    );
    expect(log).toEqual(["next 0", "next 1", "reasoning", "next 2", "next 3", "message", "next 4", "next 5"]);
  });
});
