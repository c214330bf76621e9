import type { LlamaContextSequence } from "node-llama-cpp";
import { checkStateFile, type StateOrigin, setStateAside, writeStateFile } from "./state-file";

/** Keeping the state may take this part of the time: one twentieth. */
const pausesPerSave = 20;
/** Below this, reading again costs next to nothing. In milliseconds. */
const leastPause = 500;

/** When a state may be kept: while one is written, none of its context's sequences computes anything. */
export class SavePauses {
  #quietUntil = 0;

  /** `lastSaved`: of the run that wants to save. */
  isDue(lastSaved: number, now: number): boolean {
    return now >= this.#quietUntil && now - lastSaved >= leastPause;
  }

  /** A save begins; the result is called at its end. */
  begin(start: number): (end: number) => void {
    this.#quietUntil = Number.POSITIVE_INFINITY;
    return (end) => {
      this.#quietUntil = end + (end - start) * pausesPerSave;
    };
  }
}

export interface StateKeeperParts {
  readonly sequence: LlamaContextSequence;
  readonly file: string;
  readonly origin: StateOrigin;
  readonly pauses: SavePauses;
  readonly log: (line: string) => void;
  /** Milliseconds that only grow. */
  readonly now: () => number;
}

/** Keeps the state of one run in its file. Whatever goes wrong costs reading, never the run. */
export class StateKeeper {
  readonly #parts: StateKeeperParts;
  #lastSaved: number;
  #saving: Promise<void> | undefined;

  constructor(parts: StateKeeperParts) {
    this.#parts = parts;
    this.#lastSaved = parts.now();
  }

  /**
   * Puts the state of the file into the sequence, as far as it belongs to `tokens`; returns how many of them the
   * sequence then holds: what `usable` leaves of those that it shares. Undefined when there is no state of use, and the
   * sequence is as before. A damaged or foreign file is set aside.
   */
  async restore(tokens: readonly number[], usable: (shared: number) => number): Promise<number | undefined> {
    const { file, origin, sequence } = this.#parts;
    const state = await checkStateFile(file, origin).catch((error: unknown) => ({ why: `cannot be read: ${error}` }));
    if (state === "absent") return undefined;
    if (state !== "sound") {
      await this.#setAside(state.why);
      return undefined;
    }
    try {
      await sequence.loadStateFromFile(file, { acceptRisk: true });
      return await cutBack(sequence, usable(shared(sequence.contextTokens, tokens)));
    } catch (error) {
      await this.#setAside(`was refused by llama.cpp: ${error}`);
      await sequence.clearHistory();
      return 0;
    }
  }

  /** Called between two tokens, or two chunks of the prompt: keeps the state when it is time to. Never waits for it. */
  tick(): void {
    const { pauses, now } = this.#parts;
    if (this.#saving !== undefined || !pauses.isDue(this.#lastSaved, now())) return;
    this.#saving = this.#save().finally(() => {
      this.#saving = undefined;
    });
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await this.#saving;
  }

  async #setAside(why: string): Promise<void> {
    const { file, log } = this.#parts;
    log(`The state in ${file} ${why}; the text is read again.`);
    await setStateAside(file).catch((error: unknown) => log(`${file} cannot be set aside: ${error}`));
  }

  async #save(): Promise<void> {
    const { pauses, now, file, origin, sequence, log } = this.#parts;
    const end = pauses.begin(now());
    try {
      await writeStateFile(file, origin, (path) => sequence.saveStateToFile(path));
    } catch (error) {
      log(`The state cannot be kept in ${file}: ${error instanceof Error ? error.message : error}`);
    } finally {
      this.#lastSaved = now();
      end(this.#lastSaved);
    }
  }
}

function shared(held: readonly number[], tokens: readonly number[]): number {
  const different = held.findIndex((token, index) => token !== tokens[index]);
  return different < 0 ? held.length : different;
}

/** Leaves the first `kept` tokens in the sequence, or none where a state cannot be cut; returns how many. */
async function cutBack(sequence: LlamaContextSequence, kept: number): Promise<number> {
  const held = sequence.nextTokenIndex;
  if (kept === held) return kept;
  // Recurrent and sliding-window states cannot be cut back.
  const start = sequence.needsCheckpoints ? 0 : kept;
  await sequence.eraseContextTokenRanges([{ start, end: held }]);
  return start;
}
