import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Turns, type Waiting } from "./turns";

function waiting(client: string, row: number, model = "m") {
  return { id: `${client}${row}`, client, row, model };
}

describe("turns", () => {
  it("go round the clients, first in first out within one", () => {
    const turns = new Turns();
    for (const task of [waiting("a", 1), waiting("a", 2), waiting("a", 3), waiting("b", 4)]) turns.add(task);
    const order = Array.from({ length: 5 }, () => turns.take(() => true)?.id);
    expect(order).toEqual(["a1", "b4", "a2", "a3", undefined]);
  });

  it("pass over a model that may not start, without losing its task", () => {
    const turns = new Turns();
    turns.add(waiting("a", 1, "busy"));
    turns.add(waiting("a", 2, "free"));
    expect(turns.take((model) => model === "free")?.id).toBe("a2");
    expect(turns.take((model) => model === "free")).toBeUndefined();
    expect(turns.take(() => true)?.id).toBe("a1");
  });

  it("never starve a client: between two turns of one, every waiting other has one", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 60 }), (clients) => {
        const turns = new Turns();
        for (const [row, client] of clients.entries()) turns.add(waiting(client, row));
        const order = clients.map(() => turns.take(() => true)?.client);
        for (const client of new Set(clients)) {
          const own = order.flatMap((taken, index) => (taken === client ? [index] : []));
          for (const [n, at] of own.slice(1).entries()) {
            const between = order.slice((own[n] ?? 0) + 1, at);
            const later = new Set(order.slice(at));
            for (const other of later) if (other !== client) expect(between).toContain(other);
          }
        }
      }),
    );
  });

  it("forget a task that is removed while it waits", () => {
    const turns = new Turns();
    turns.add(waiting("a", 1));
    turns.add(waiting("a", 2));
    turns.remove(waiting("a", 1));
    expect(turns.take(() => true)?.id).toBe("a2");
    expect(turns.take(() => true)).toBeUndefined();
  });
});

describe("the place of an entry", () => {
  it("is the turn in which it is taken, whoever else waits", () => {
    const turns = new Turns<Waiting>();
    const entries = [..."aaabbc"].map((client, row) => ({ id: `t${row}`, client, model: "m", row }));
    for (const entry of entries) turns.add(entry);
    const places = new Map(entries.map((entry) => [entry.id, turns.position(entry)]));
    for (let turn = 1; turn <= entries.length; turn += 1)
      expect(places.get(turns.take(() => true)?.id ?? "")).toBe(turn);
  });
});
