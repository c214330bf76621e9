import { describe, expect, it } from "vitest";
import { taskStatuses } from "../../../../shared/lifecycle";
import { legacyTask, modernTask } from "./task-object";
import { openQuestion, viewIn } from "./test-view";

const golden = (name: string) => `${import.meta.dirname}/golden/${name}`;

describe("a task object", () => {
  it.each([
    ["legacy", legacyTask],
    ["modern", modernTask],
  ] as const)("of the %s generation has the documented form in every status", async (name, project) => {
    const objects = Object.fromEntries(
      taskStatuses.map((status) => [status, project(viewIn(status, { asked: [openQuestion] }))]),
    );
    await expect(`${JSON.stringify(objects, null, 2)}\n`).toMatchFileSnapshot(golden(`tasks-${name}.json`));
  });

  it("stays as it was at the move to cancelling", () => {
    const { task, ...cancelling } = viewIn("cancelling");
    const later = viewIn("cancelled", { task: { updatedAt: task.updatedAt + 5_000 } });
    expect(legacyTask(later)).toEqual(legacyTask({ task, ...cancelling }));
    expect(modernTask(later)).toEqual(modernTask({ task, ...cancelling }));
  });

  it("tells the ttl that the task has, null for none", () => {
    expect(legacyTask(viewIn("queued", { task: { ttl: 5_000 } })).ttl).toBe(5_000);
    expect(modernTask(viewIn("queued")).ttlMs).toBeNull();
  });
});
