import { describe, expect, it } from "vitest";
import { hostRestarted, type Moments, phasesOf } from "./phases";
import { momentsOf } from "./test-moments";

const kindsOf = (moments: Moments, now: number) =>
  phasesOf(moments, now).map(({ kind, attempt, from, to }) => [kind, attempt, from, to]);

describe("phases", () => {
  it("tell reading from generating by the first token", () => {
    const moments = momentsOf(
      [
        [0, "queued"],
        [10, "loading"],
        [20, "running"],
        [90, "succeeded"],
      ],
      [50, 70],
    );
    expect(kindsOf(moments, 90)).toEqual([
      ["queued", 1, 0, 10],
      ["loading", 1, 10, 20],
      ["reading", 1, 20, 50],
      ["generating", 1, 50, 90],
    ]);
  });

  it("read until now while no token came", () => {
    const moments = momentsOf(
      [
        [0, "queued"],
        [10, "loading"],
        [20, "running"],
      ],
      [],
    );
    expect(phasesOf(moments, 60).at(-1)).toMatchObject({ kind: "reading", from: 20, to: 60, isLive: true });
  });

  it("generate at once after an answer, for the prompt is read already", () => {
    const moments = momentsOf(
      [
        [0, "queued"],
        [1, "loading"],
        [2, "running"],
        [30, "input_required"],
        [50, "running"],
        [90, "succeeded"],
      ],
      [10, 20, 70],
    );
    expect(kindsOf(moments, 90).slice(2)).toEqual([
      ["reading", 1, 2, 10],
      ["generating", 1, 10, 30],
      ["waiting", 1, 30, 50],
      ["generating", 1, 50, 90],
    ]);
  });

  it("read again in each attempt", () => {
    const moments = momentsOf(
      [
        [0, "queued"],
        [1, "loading"],
        [2, "running"],
        [30, "running", 2],
        [90, "succeeded", 2],
      ],
      [10, 60],
    );
    expect(kindsOf(moments, 90).slice(2)).toEqual([
      ["reading", 1, 2, 10],
      ["generating", 1, 10, 30],
      ["reading", 2, 30, 60],
      ["generating", 2, 60, 90],
    ]);
  });

  it("do not claim that tokens came while the host was closed", () => {
    const changes = [
      [0, "queued"],
      [1, "loading"],
      [2, "running"],
      [90_000, "queued", 2, hostRestarted],
    ] as const;
    expect(kindsOf(momentsOf(changes, [10, 4_000]), 90_001).slice(3)).toEqual([
      ["generating", 1, 10, 4_000],
      ["closed", 1, 4_000, 90_000],
      ["queued", 2, 90_000, 90_001],
    ]);
  });

  it("say that nobody knows when a load ended that a restart interrupted", () => {
    const moments = momentsOf(
      [
        [0, "queued"],
        [5, "loading"],
        [900, "queued", 2, hostRestarted],
      ],
      [],
    );
    expect(phasesOf(moments, 901)[1]).toMatchObject({ kind: "loading", from: 5, to: 900, isInterrupted: true });
  });

  it("hold for a task that was cancelled at once", () => {
    expect(
      kindsOf(
        momentsOf(
          [
            [0, "queued"],
            [0, "cancelled"],
          ],
          [],
        ),
        99,
      ),
    ).toEqual([["queued", 1, 0, 0]]);
  });
});
