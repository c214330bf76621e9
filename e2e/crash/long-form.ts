import { runRounds } from "./rounds";

/**
 * Many rounds, with a line for each violation and one for the whole; `what` is their number, or the name of one that was
 * run before, such as `42-17`. Returns the exit code.
 */
export async function longForm(what: string, seed: string): Promise<number> {
  const [ofSeed, single] = what.split("-");
  const numbers =
    single === undefined ? Array.from({ length: Number(what) }, (_, index) => index + 1) : [Number(single)];
  if (!numbers.every((number) => number > 0) || numbers.length === 0)
    throw new Error(`Not a number of rounds: ${what}`);
  return await report(numbers, single === undefined ? seed : String(ofSeed));
}

async function report(numbers: readonly number[], seed: string): Promise<number> {
  const startedAt = performance.now();
  let done = 0;
  const { kills, tasks, violations } = await runRounds({
    seed,
    numbers,
    realEvery: 50,
    onRound(name, result) {
      done += 1;
      for (const violation of result.violations) console.log(`round ${name}: ${violation}`);
      if (done % 25 === 0) console.log(`${done} rounds in ${seconds(startedAt)} s`);
    },
  });
  const found = violations.length === 0 ? "no violation" : `${violations.length} VIOLATIONS`;
  console.log(`${numbers.length} rounds, ${kills} kills, ${tasks} tasks: ${found} (seed ${seed})`);
  return violations.length === 0 ? 0 : 1;
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0);
}
