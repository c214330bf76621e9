import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const short = 150;
const count = Number(process.env.SIMMER_FUZZ_REQUESTS ?? short);

/** How much is sent, and from which seed on: the same seed sends the same. Set by `npm run test:fuzz`. */
export const fuzzPlan = {
  count,
  seed: Number(process.env.SIMMER_FUZZ_SEED ?? Date.now() % 2 ** 31),
  stream: count > short ? 200 : 60,
};

/** Where a failing batch of a face is recorded. */
export function recordOf(face: string): string {
  return fileOf(`${face}.failed.json`);
}

/** Keeps what a long run came to, for its script to tell. */
export function reportOf(face: string, report: object): void {
  mkdirSync(fileOf("."), { recursive: true });
  writeFileSync(fileOf(`${face}.json`), JSON.stringify({ face, ...fuzzPlan, ...report }, null, 2));
}

function fileOf(name: string): string {
  return fileURLToPath(new URL(`../../dist/fuzz/${name.replaceAll(" ", "-")}`, import.meta.url));
}
