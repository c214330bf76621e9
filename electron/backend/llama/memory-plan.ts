import { ProblemError } from "../../../shared/problem";
import { chooseContext, chooseParallel } from "./automatic";
import type { FreeMemory } from "./free-memory";

/** What a person asked for; null lets the plan choose. */
export interface Wishes {
  readonly contextLength: number | null;
  readonly parallel: number | null;
}

export interface Needs {
  /** The model's file, for the message. */
  readonly file: string;
  /** Tokens that the model was trained for. */
  readonly trained: number;
  /** Bytes of the weights in the machine's own memory. */
  readonly weights: number;
  /** Whether they are read from the file as they are needed, and may give way to others. */
  readonly areMapped: boolean;
  /** Bytes of a context, with all that computing in it takes. */
  context(tokens: number, parallel: number): Promise<{ readonly ram: number; readonly vram: number }>;
}

export interface MemoryPlan {
  /** Tokens that one task may use. */
  readonly contextLength: number;
  readonly parallel: number;
}

/** Below this a task gets nowhere. */
const smallestContext = 512;
/** llama.cpp rounds up to this. */
const step = 256;

/**
 * How large a context, and for how many tasks, fits beside the model. A person's own wish is kept or refused; what is
 * left to choose shrinks to what fits.
 *
 * A context is written and read in full for each token, so it must fit into free memory. Mapped weights need not: at
 * least half of them must, and the rest is read from the disk again and again, which is slow and works.
 * Throws ProblemError `model_load_failed` with the numbers.
 */
export async function planMemory(wishes: Wishes, needs: Needs, free: FreeMemory): Promise<MemoryPlan> {
  const wanted = chooseContext(wishes.contextLength, needs.trained);
  const parallel = wishes.parallel ?? 1;
  const tight = roomBeside(needs.areMapped ? needs.weights / 2 : needs.weights, needs, free);
  const easy = roomBeside(needs.weights, needs, free);
  const largest = (room: Room, most: number) => largestContext(most, (tokens) => fits(needs, room, tokens, parallel));

  if (wishes.contextLength !== null) {
    if (!(await fits(needs, tight, wanted, parallel))) {
      throw await tooLarge(wanted, parallel, needs, free, await largest(tight, wanted));
    }
    return { contextLength: wanted, parallel: await parallelIn(wishes, needs, tight, wanted) };
  }
  // Rather a smaller context than weights that are read from the disk, and rather those than none.
  const chosen = (await largest(easy, wanted)) ?? (await largest(tight, wanted));
  if (chosen === undefined) throw await tooLarge(Math.min(wanted, smallestContext), parallel, needs, free, undefined);
  return { contextLength: chosen, parallel: await parallelIn(wishes, needs, easy, chosen) };
}

/** Bytes that a context may take. */
interface Room {
  readonly ram: number;
  readonly vram: number;
  readonly isUnified: boolean;
}

function roomBeside(weights: number, needs: Needs, { ram, addressSpace, vram, isUnified }: FreeMemory): Room {
  return { ram: Math.min(ram - weights, addressSpace - needs.weights), vram, isUnified };
}

async function fits({ context }: Needs, room: Room, tokens: number, parallel: number): Promise<boolean> {
  const needed = await context(tokens, parallel);
  return needed.ram + (room.isUnified ? needed.vram : 0) <= room.ram && needed.vram <= room.vram;
}

/** The largest context of at most `most` tokens that fits; undefined when none of use does. */
async function largestContext(
  most: number,
  doesFit: (tokens: number) => Promise<boolean>,
): Promise<number | undefined> {
  if (await doesFit(most)) return most;
  if (most <= smallestContext || !(await doesFit(smallestContext))) return undefined;
  let [fitting, tooMuch] = [smallestContext, most];
  while (tooMuch - fitting > step) {
    const middle = fitting + Math.ceil((tooMuch - fitting) / 2 / step) * step;
    if (middle >= tooMuch) break;
    if (await doesFit(middle)) fitting = middle;
    else tooMuch = middle;
  }
  return fitting;
}

async function parallelIn({ parallel }: Wishes, { context }: Needs, room: Room, tokens: number): Promise<number> {
  const one = await context(tokens, 1);
  const inRam = chooseParallel(parallel, one.ram, room.ram);
  return one.vram > 0 ? Math.min(inRam, chooseParallel(parallel, one.vram, room.vram)) : inRam;
}

async function tooLarge(
  tokens: number,
  parallel: number,
  { file, weights, context }: Needs,
  free: FreeMemory,
  largest: number | undefined,
): Promise<ProblemError> {
  const { ram, vram } = await context(tokens, parallel);
  const each = parallel > 1 ? ` for each of ${parallel} tasks` : "";
  const onGpu = vram > 0 ? ` and ${size(vram)} of the GPU's` : "";
  const freeOnGpu = vram > 0 ? ` and ${size(free.vram)}` : "";
  const needed = `its weights have ${size(weights)}, and a context of ${tokens} tokens${each} needs ${size(ram)} of memory${onGpu}`;
  const advice =
    largest === undefined
      ? `No context of use would fit: close other programs, or choose a smaller model.`
      : `The largest context that would fit has ${largest} tokens: set a smaller context.`;
  const detail = `${file} cannot be loaded: ${needed}; ${size(Math.min(free.ram, free.addressSpace))}${freeOnGpu} are free. ${advice}`;
  return new ProblemError("model_load_failed", detail);
}

function size(bytes: number): string {
  const megabytes = Math.max(0, bytes) / 1e6;
  return megabytes < 1_000 ? `${Math.ceil(megabytes)} MB` : `${(megabytes / 1_000).toFixed(1)} GB`;
}
