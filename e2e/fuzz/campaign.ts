import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import type { Measure } from "../measure";
import type { FuzzHost } from "./fuzz-host";
import type { FuzzRequest } from "./fuzz-request";

export interface CampaignOptions {
  readonly face: string;
  readonly requests: fc.Arbitrary<FuzzRequest>;
  readonly count: number;
  readonly seed: number;
  /** Milliseconds that the reader of an answer stays with one that goes on. */
  readonly stream: number;
  /** Where a batch that fails is written. */
  readonly record: string;
}

export interface CampaignResult {
  readonly sent: number;
  /** How many answers had a status of this hundred. */
  readonly statuses: Readonly<Record<string, number>>;
  /** What the host used, at rest, when it was warm and after each quarter that followed. */
  readonly measures: readonly Measure[];
  /** What must not be, each in words. */
  readonly faults: readonly string[];
}

/** Requests that are sent at once. */
const mostAtOnce = 31;
/** Batches after which there are new sessions and tasks to ask about. */
const furnishEvery = 3;
/** Batches after which everything that was begun is ended, and must end. */
const calmEvery = 12;
/** Attempts to make a failing batch smaller. */
const mostShrinks = 200;

/** Sends batches of requests until so many were sent, or one fails, which is made as small as it gets and recorded. */
export async function campaign(host: FuzzHost, options: CampaignOptions): Promise<CampaignResult> {
  const run = new Campaign(host, options);
  // Half of the batches are larger than the middle one; a tenth more makes up for chance.
  const batches = Math.ceil((options.count / ((1 + mostAtOnce) / 2)) * 1.1);
  const failed = await run.send(batches);
  await run.rest();
  return { sent: run.sent, statuses: run.statuses, measures: run.measures, faults: [...failed, ...host.takeFaults()] };
}

class Campaign {
  readonly statuses: Record<string, number> = {};
  readonly measures: Measure[] = [];
  sent = 0;
  readonly #host: FuzzHost;
  readonly #options: CampaignOptions;
  #batches = 0;
  #shrinks = 0;
  #failed: readonly string[] = [];

  constructor(host: FuzzHost, options: CampaignOptions) {
    this.#host = host;
    this.#options = options;
  }

  /** What went wrong, in words. */
  async send(batches: number): Promise<readonly string[]> {
    const { face, requests, seed, record } = this.#options;
    const batch = fc.array(requests, { minLength: 1, maxLength: mostAtOnce, size: "max" });
    const property = fc.asyncProperty(batch, (one) => this.#run(one, batches));
    const { counterexample } = await fc.check(property, { seed, numRuns: batches });
    if (counterexample === null) return [];
    mkdirSync(dirname(record), { recursive: true });
    writeFileSync(record, JSON.stringify({ face, seed, requests: counterexample[0] }, null, 2));
    return [...this.#failed, `seed ${seed}; to send it again: npm run test:fuzz -- --replay ${record}`];
  }

  /** Ends all that was begun, and measures. */
  async rest(): Promise<void> {
    await this.#host.calm();
    await this.#host.checkPlaces();
    const [base] = this.measures;
    this.measures.push(base === undefined ? await this.#host.measure() : await this.#host.measureAgain(base));
  }

  async #run(batch: readonly FuzzRequest[], batches: number): Promise<void> {
    if (this.#failed.length > 0 && ++this.#shrinks > mostShrinks) return;
    if (this.#batches % furnishEvery === 0) await this.#host.furnish();
    const judged = await Promise.all(batch.map((request) => this.#host.send(request, this.#options.stream)));
    for (const { status } of judged.flatMap(({ answers }) => answers)) {
      const hundred = `${Math.floor(status / 100)}xx`;
      this.statuses[hundred] = (this.statuses[hundred] ?? 0) + 1;
    }
    this.sent += batch.length;
    this.#batches += 1;
    if (this.#batches % Math.ceil(batches / 4) === 0) await this.rest();
    else if (this.#batches % calmEvery === 0) await this.#host.calm();
    const faults = [...judged.flatMap((one) => one.faults), ...this.#host.takeFaults()];
    if (faults.length === 0) return;
    this.#failed = faults;
    throw new Error(faults.join("\n"));
  }
}
