import { ProblemError, problemOf } from "../../shared/problem";
import type { JobResult } from "../../shared/task";
import type { GenerationStep } from "../engine/backend";
import type { Generate, JobContext } from "../engine/job";
import { addUsage, collectText, noUsage, type Written } from "./collect-text";
import { byteLength, splitText } from "./split-text";
import { summaryPrompt, wordsIn } from "./summary-prompt";
import { fewestBytes, noRoom, type Room, roomIn } from "./summary-room";

export interface SummaryRequest {
  readonly text: string;
  readonly instructions?: string | undefined;
  readonly max_output_tokens?: number | undefined;
}

/**
 * One run over one text. As long as the text is too long for the model it is replaced by the summaries of its parts,
 * level by level; what then fits is summarized into the task's output. Every part is a recorded step, and everything
 * that is decided on the way follows from recorded steps, so that a later attempt takes the same way.
 */
export class Summary {
  readonly #context: JobContext;
  readonly #request: SummaryRequest;
  readonly #room: Room;
  /** The most bytes in one prompt; halved whenever a text turns out to have more tokens than estimated. */
  #bytes: number;
  #done = 0;
  #usage = noUsage;

  private constructor(context: JobContext, request: SummaryRequest, room: Room) {
    this.#context = context;
    this.#request = request;
    this.#room = room;
    this.#bytes = room.bytes;
  }

  /** Throws ProblemError `context_length_exceeded` when the instructions leave no room for a text. */
  static async begin(context: JobContext, request: SummaryRequest): Promise<Summary> {
    const { instructions, max_output_tokens } = request;
    const length = context.contextLength();
    const frame = summaryPrompt("", instructions, wordsIn(length));
    return new Summary(
      context,
      request,
      await context.step("room", async () => roomIn(length, frame, max_output_tokens)),
    );
  }

  async write(): Promise<JobResult> {
    let { text } = this.#request;
    for (let level = 1; ; ) {
      if (byteLength(text) > this.#bytes) {
        text = await this.#condense(text, level);
        level += 1;
        continue;
      }
      const result = await unlessTooLong(this.#writeWhole(text));
      if (result !== null) return { ...result, usage: addUsage(this.#usage, result.usage) };
      this.#halve();
    }
  }

  #writeWhole(text: string): Promise<JobResult> {
    this.#context.progress(this.#done, this.#done + 1, "Writing the summary");
    const { instructions, max_output_tokens } = this.#request;
    const prompt = summaryPrompt(text, instructions);
    return this.#context.write((generate) => this.#generate(generate, prompt, max_output_tokens));
  }

  /**
   * The summaries of the parts of a text. They are shorter than the text: each takes at most a quarter of the room for
   * a part, and a part that is far from full, because a long sentence or word follows, is followed by a full one.
   */
  async #condense(text: string, level: number): Promise<string> {
    const summaries: string[] = [];
    let parts = splitText(text, this.#bytes);
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      this.#tell(level, summaries.length, parts.length + 1);
      const summary = await this.#summaryOf(part, `${level}.${summaries.length + 1}`);
      if (summary === null) {
        this.#halve();
        parts = splitText(part + parts.join(""), this.#bytes);
        continue;
      }
      summaries.push(summary);
      this.#done += 1;
    }
    return summaries.filter((summary) => summary !== "").join("\n\n");
  }

  /** Null when the part has more tokens than there is room for. */
  async #summaryOf(part: string, place: string): Promise<string | null> {
    const longest = this.#longestSummary;
    if (byteLength(part) <= longest) return part.trim();
    const prompt = summaryPrompt(part, this.#request.instructions, wordsIn(longest));
    const written = await this.#context.step<Written | null>(`part ${place} of ${this.#bytes} bytes`, () =>
      unlessTooLong(collectText(this.#generate(this.#context.generate, prompt, this.#room.answerTokens))),
    );
    if (written === null) return null;
    this.#usage = addUsage(this.#usage, written.usage);
    const summary = written.text.trim();
    if (summary === "" && written.finish !== "completed") throw onlyThought();
    return splitText(summary, longest)[0] ?? "";
  }

  get #longestSummary(): number {
    return Math.floor(this.#bytes / 4);
  }

  #halve(): void {
    this.#bytes = Math.floor(this.#bytes / 2);
    if (this.#bytes < fewestBytes) throw noRoom(this.#context.contextLength());
  }

  #generate(generate: Generate, prompt: string, maxTokens: number | undefined): AsyncIterable<GenerationStep> {
    const limit = maxTokens === undefined ? {} : { maxTokens };
    const steps = generate([{ role: "user", text: prompt }], {
      ...limit,
      stop: [],
      format: { type: "text" },
    });
    return leavingRoom(steps, this.#room.promptTokens);
  }

  #tell(level: number, before: number, remaining: number): void {
    const all = before + remaining;
    const total = this.#done + remaining + this.#textsFor(all * this.#longestSummary);
    const what = level === 1 ? "Part" : "Summaries, part";
    this.#context.progress(this.#done, total, `${what} ${before + 1} of ${all}`);
  }

  /** About how many texts have to be written for one of so many bytes. */
  #textsFor(bytes: number): number {
    if (bytes <= this.#bytes) return 1;
    const parts = Math.ceil(bytes / this.#bytes);
    return parts + this.#textsFor(parts * this.#longestSummary);
  }
}

/** Refuses a prompt that would fit but leave the answer too little room, as the backend does one that does not fit. */
async function* leavingRoom(
  steps: AsyncIterable<GenerationStep>,
  promptTokens: number,
): AsyncGenerator<GenerationStep, void> {
  for await (const step of steps) {
    if (step.type === "reading" && step.total > promptTokens)
      throw new ProblemError("context_length_exceeded", `The prompt has ${step.total} tokens, not ${promptTokens}.`);
    yield step;
  }
}

async function unlessTooLong<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (problemOf(error).code === "context_length_exceeded") return null;
    throw error;
  }
}

function onlyThought(): ProblemError {
  return new ProblemError(
    "context_length_exceeded",
    "The model spent all the room for its answer on thinking. Use a model that does not think, or a larger context.",
  );
}
