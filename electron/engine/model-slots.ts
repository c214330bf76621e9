import type { ModelInfo } from "./backend";

interface Slots {
  active: number;
  /** One until the model is loaded and has said how many it can serve: the first task loads, the others wait. */
  parallel: number;
  lastUsed: number;
  /** Takes no new tasks while it is busy, because another model waits for its place. */
  draining: boolean;
}

/**
 * How many tasks run on which model, and which models stay resident. A model that waits for a place makes the least
 * recently used one drain, so that a steady flow of tasks for the resident models cannot keep it out.
 */
export class ModelSlots {
  readonly #maxResident: number;
  readonly #resident = new Map<string, Slots>();
  #uses = 0;

  constructor(maxResident: number) {
    this.#maxResident = maxResident;
  }

  mayStart(model: string | null): boolean {
    if (model === null) return true;
    const slots = this.#resident.get(model);
    if (slots !== undefined) return slots.active === 0 || (!slots.draining && slots.active < slots.parallel);
    if (this.#resident.size < this.#maxResident || this.#idle() !== undefined) return true;
    const [oldest] = this.#leastRecentlyUsed();
    if (oldest !== undefined) oldest[1].draining = true;
    return false;
  }

  /** Takes a slot, which `mayStart` allowed; returns the model to unload for it, if one must go. */
  take(model: string | null): string | undefined {
    if (model === null) return undefined;
    const evicted = this.#resident.has(model) || this.#resident.size < this.#maxResident ? undefined : this.#idle();
    if (evicted !== undefined) this.#resident.delete(evicted);
    const slots = this.#resident.get(model) ?? { active: 0, parallel: 1, lastUsed: 0, draining: false };
    this.#resident.set(model, slots);
    if (slots.active === 0) slots.draining = false;
    slots.active += 1;
    slots.lastUsed = ++this.#uses;
    return evicted;
  }

  loaded(info: ModelInfo): void {
    const slots = this.#resident.get(info.id);
    if (slots !== undefined) slots.parallel = info.parallel;
  }

  release(model: string | null): void {
    const slots = model === null ? undefined : this.#resident.get(model);
    if (slots !== undefined) slots.active -= 1;
  }

  #idle(): string | undefined {
    return this.#leastRecentlyUsed().find(([, { active }]) => active === 0)?.[0];
  }

  #leastRecentlyUsed(): [string, Slots][] {
    return [...this.#resident].sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
  }
}
