import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TaskEvent } from "../../shared/event";
import { Follower } from "./follower";

function event(seq: number): TaskEvent {
  return { taskId: "t", seq, rev: seq, at: 0, body: { type: "created" } };
}

function stored(events: readonly TaskEvent[], limit: number) {
  return { read: (after: number) => events.filter(({ seq }) => seq > after).slice(0, limit), isOver: () => false };
}

describe("a follower", () => {
  it("gets every event once and in order, however reading and writing interleave", async () => {
    const scripts = fc.array(fc.oneof(fc.integer({ min: 1, max: 400 }), fc.constant("read" as const)), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(scripts, fc.integer({ min: -1, max: 5 }), async (script, after) => {
        const events: TaskEvent[] = [];
        const follower = new Follower(after, stored(events, 7));
        const seen: number[] = [];
        const read = async () => {
          for (const { seq } of (await follower.next()) ?? []) seen.push(seq);
        };
        for (const entry of script) {
          if (entry === "read") {
            if ((events.at(-1)?.seq ?? -1) > Math.max(after, seen.at(-1) ?? -1)) await read();
            continue;
          }
          const fresh = Array.from({ length: entry }, (_, index) => event(events.length + index));
          events.push(...fresh);
          follower.push(fresh);
        }
        while ((seen.at(-1) ?? after) < events.length - 1) await read();
        expect(seen).toEqual(events.map(({ seq }) => seq).filter((seq) => seq > after));
      }),
    );
  });

  it("waits without reading again, and wakes for news", async () => {
    let reads = 0;
    const events: TaskEvent[] = [];
    const { read, isOver } = stored(events, 10);
    const counted = (after: number) => {
      reads += 1;
      return read(after);
    };
    const follower = new Follower(-1, { read: counted, isOver });
    const next = follower.next();
    await Promise.resolve();
    events.push(event(0));
    follower.push([event(0)]);
    expect(await next).toEqual([event(0)]);
    expect(reads).toBe(1);
  });

  it("reads the store after it fell behind, and holds no more than the limit", async () => {
    const events = Array.from({ length: 2_000 }, (_, seq) => event(seq));
    const follower = new Follower(-1, stored(events, 5_000));
    for (const one of events) follower.push([one]);
    expect(await follower.next()).toHaveLength(2_000);
  });

  it("skips the events of a superseded attempt that are gone from the store", async () => {
    const follower = new Follower(3, stored([event(0), event(9), event(10)], 10));
    expect((await follower.next())?.map(({ seq }) => seq)).toEqual([9, 10]);
  });

  it("ends when it is closed, also while it waits", async () => {
    const follower = new Follower(-1, stored([], 1));
    const next = follower.next();
    follower.close();
    expect(await next).toBeUndefined();
    expect(await follower.next()).toBeUndefined();
  });
});
