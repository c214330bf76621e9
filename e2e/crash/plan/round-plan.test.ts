import { describe, expect, it } from "vitest";
import { inferenceFaults, momentKinds, planRound } from "./round-plan";

const policies = ["fail", "retry", "resume"] as const;
const rounds = Array.from({ length: 300 }, (_, number) => planRound(`seed-${number}`, "scripted", policies));
const lives = rounds.flatMap((round) => round.lives);
const tasks = lives.flatMap((life) => life.tasks);

describe("the plan of a round", () => {
  it("is a function of its seed", () => {
    expect(planRound("seed-7", "scripted", policies)).toEqual(rounds[7]);
    expect(new Set(rounds.map((round) => JSON.stringify(round))).size).toBe(rounds.length);
  });

  it("leaves no kind of fault and no kind of work out for long", () => {
    expect(new Set(lives.map(({ end }) => end.kind))).toEqual(new Set(momentKinds));
    expect(new Set(lives.flatMap(({ inferenceFault }) => inferenceFault?.signal ?? []))).toEqual(
      new Set(inferenceFaults),
    );
    expect(lives.some(({ killedWhileClosing }) => killedWhileClosing !== null)).toBe(true);
    expect(lives.some(({ falseStarts }) => falseStarts.length > 0)).toBe(true);
    const works = ["text", "plain", "batch", "person", "model"];
    expect(new Set(tasks.map(({ work }) => work.kind))).toEqual(new Set(works));
    const faces = ["lmsp", "legacy", "modern"].flatMap((face) => works.map((work) => `${face} ${work}`));
    const possible = faces.filter((one) => !/legacy plain|modern plain|lmsp (batch|person|model)/.test(one));
    expect(new Set(tasks.map(({ face, work }) => `${face} ${work.kind}`))).toEqual(new Set(possible));
  });

  it("asks for a retry with a key only, and for what the service offers only", () => {
    for (const { policy, delivery } of tasks) if (policy === "retry") expect(delivery).not.toBe("once");
    const offered = planRound("seed-1", "scripted", ["fail"]).lives.flatMap((life) => life.tasks);
    expect(new Set(offered.map(({ policy }) => policy))).toEqual(new Set(["fail"]));
  });

  it("names every task once: a name is its prompt and its key", () => {
    for (const round of rounds) {
      const keys = round.lives.flatMap((life) => life.tasks.map(({ key }) => key));
      expect(new Set(keys).size).toBe(keys.length);
    }
  });
});
