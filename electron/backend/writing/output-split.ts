import type { OutputType } from "../../../shared/task";
import type { TokenSource } from "../token-source";
import { TextSearch } from "./text-search";

export interface Part {
  readonly output: OutputType;
  readonly text: string;
}

export interface Split {
  readonly parts: readonly Part[];
  /** Why the output is over; undefined while it goes on. */
  readonly ended: "end" | "stop_string" | undefined;
}

type Mark = "open" | "close" | "end" | "stop_string";

/**
 * Tells thinking from answer and finds where the output is over. Markers and stop strings never come out; a text that
 * only looks like one always does. Stop strings do not see the thinking.
 * States: message <-> reasoning (by the markers), both -> ended.
 */
export class OutputSplit {
  readonly #searches: Readonly<Record<OutputType, TextSearch<Mark>>>;
  #output: OutputType;
  /** Blanks between the close marker and the answer belong to neither. */
  #skipsBlanks = false;
  /** Blanks at the beginning, held back because a thought may follow; undefined when that is settled. */
  #leading: string | undefined;

  constructor(thinking: TokenSource["thinking"], stop: readonly string[], endTexts: readonly string[]) {
    const ends = endTexts.map((text) => ({ text, mark: "end" as const }));
    const stops = stop.map((text) => ({ text, mark: "stop_string" as const }));
    this.#searches = {
      message: new TextSearch<Mark>([...ends, ...stops, ...marker(thinking?.open, "open")]),
      reasoning: new TextSearch<Mark>([...ends, ...marker(thinking?.close, "close")]),
    };
    this.#output = thinking?.startsOpen === true ? "reasoning" : "message";
    this.#leading = thinking === undefined || thinking.startsOpen ? undefined : "";
  }

  /** What the next text will belong to. */
  get output(): OutputType {
    return this.#output;
  }

  push(text: string): Split {
    const parts: Part[] = [];
    let rest = this.#skip(text);
    while (rest !== "") {
      const hit = this.#searches[this.#output].push(rest);
      this.#give(hit.text, parts);
      if (hit.found === "end" || hit.found === "stop_string") {
        this.#giveLeading(parts);
        return { parts, ended: hit.found };
      }
      if (hit.found !== undefined) this.#turn(hit.found);
      rest = this.#skip(hit.rest);
    }
    return { parts, ended: undefined };
  }

  /** The output is over by itself: what looked like the start of a marker or a stop string was text. */
  flush(): readonly Part[] {
    const parts: Part[] = [];
    this.#give(this.#searches[this.#output].flush(), parts);
    this.#giveLeading(parts);
    return parts;
  }

  #turn(mark: "open" | "close"): void {
    this.#output = mark === "open" ? "reasoning" : "message";
    this.#skipsBlanks = mark === "close";
    this.#leading = undefined;
  }

  #skip(text: string): string {
    if (!this.#skipsBlanks) return text;
    const rest = text.trimStart();
    this.#skipsBlanks = rest === "";
    return rest;
  }

  #give(text: string, parts: Part[]): void {
    const whole = (this.#leading ?? "") + text;
    if (this.#leading !== undefined) this.#leading = whole.trim() === "" ? whole : undefined;
    if (this.#leading === undefined && whole !== "") parts.push({ output: this.#output, text: whole });
  }

  /** The output is over, so no thought follows the blanks at its beginning. */
  #giveLeading(parts: Part[]): void {
    if (this.#leading) parts.push({ output: "message", text: this.#leading });
    this.#leading = undefined;
  }
}

function marker(text: string | undefined, mark: Mark): readonly { readonly text: string; readonly mark: Mark }[] {
  return text === undefined ? [] : [{ text, mark }];
}
