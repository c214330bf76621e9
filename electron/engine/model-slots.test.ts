import { describe, expect, it } from "vitest";
import { ModelSlots } from "./model-slots";

function loaded(slots: ModelSlots, id: string, parallel: number): void {
  slots.loaded({ id, parallel, contextLength: 1 });
}

describe("model slots", () => {
  it("let one task load the model, and the others wait until it says how many it serves", () => {
    const slots = new ModelSlots(2);
    slots.take("m");
    expect(slots.mayStart("m")).toBe(false);
    loaded(slots, "m", 2);
    expect(slots.mayStart("m")).toBe(true);
    slots.take("m");
    expect(slots.mayStart("m")).toBe(false);
    slots.release("m");
    expect(slots.mayStart("m")).toBe(true);
  });

  it("evict the least recently used idle model for one that has no place", () => {
    const slots = new ModelSlots(2);
    for (const model of ["a", "b"]) {
      expect(slots.take(model)).toBeUndefined();
      slots.release(model);
    }
    slots.take("a");
    slots.release("a");
    expect(slots.mayStart("c")).toBe(true);
    expect(slots.take("c")).toBe("b");
  });

  it("drain a busy model when another waits for its place, and take it back when that one has gone", () => {
    const slots = new ModelSlots(1);
    slots.take("a");
    loaded(slots, "a", 4);
    expect(slots.mayStart("b")).toBe(false);
    expect(slots.mayStart("a")).toBe(false);
    slots.release("a");
    expect(slots.mayStart("a")).toBe(true);
    slots.take("a");
    expect(slots.mayStart("a")).toBe(true);
  });

  it("always let a task start that needs no model", () => {
    expect(new ModelSlots(1).mayStart(null)).toBe(true);
  });
});
