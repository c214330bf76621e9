import { availableParallelism } from "node:os";
import type { RestartPolicy } from "../../shared/lifecycle";
import { HostProcess } from "../host";
import { LmspClient } from "../lmsp-client";
import { slowModelFolder } from "../slow-model";
import { bundleScriptedHost } from "./host/bundle";
import { planRound } from "./plan/round-plan";
import { Round, type RoundResult } from "./round";

export interface Rounds {
  readonly seed: string;
  /** Which rounds of this seed: each is planned by itself. */
  readonly numbers: readonly number[];
  /** Each so many rounds one with llama.cpp and a real model. */
  readonly realEvery: number;
  /** Told of each round as it ends. */
  readonly onRound?: (name: string, result: RoundResult) => void;
}

/** A start is work for one core and then waits much: some more hosts than cores keep them busy. */
const sideBySide = availableParallelism() + 2;

export async function runRounds({ seed, numbers, realEvery, onRound = () => undefined }: Rounds): Promise<RoundResult> {
  using scripted = await bundleScriptedHost();
  const real = { modelsDir: await slowModelFolder() };
  const policies = await policiesOf(real.modelsDir);
  const results: RoundResult[] = [];
  const waiting = [...numbers];
  const work = async () => {
    for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
      // From the first on: they take longest.
      const kind = number % realEvery === 1 ? "real" : "scripted";
      const name = `${seed}-${number}`;
      const result = await new Round(planRound(name, kind, policies), kind === "real" ? real : scripted).run();
      results.push(result);
      onRound(name, result);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
  return sum(results);
}

/** The policies that this service takes: it says of itself whether it can resume. */
async function policiesOf(modelsDir: string): Promise<readonly RestartPolicy[]> {
  await using host = await HostProcess.start({ modelsDir });
  const response = await new LmspClient(host.endpoint).request("/capabilities");
  const { resumable_snapshots: canResume } = (await response.json()) as { resumable_snapshots: boolean };
  return canResume ? ["fail", "retry", "resume", "resume"] : ["fail", "retry"];
}

function sum(results: readonly RoundResult[]): RoundResult {
  return {
    kills: results.reduce((total, { kills }) => total + kills, 0),
    tasks: results.reduce((total, { tasks }) => total + tasks, 0),
    violations: results.flatMap(({ violations }) => violations),
  };
}
