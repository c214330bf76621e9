import { describe, expect, it } from "vitest";
import { taskStatuses } from "../../shared/lifecycle";
import type { Task } from "../../shared/task";
import type { TaskStore } from "../engine/store";
import { sampleTask } from "./sample";

/** The part of the contract about tasks whose time is over; `reopened` closes the store and opens it again. */
export function describeExpiries(store: () => TaskStore, reopened: () => TaskStore): void {
  const insert = (id: string, given: Partial<Omit<Task, "row">>) => store().insert(sampleTask(id, given), null, null);
  const ids = (tasks: readonly Task[]) => tasks.map(({ id }) => id);

  describe("expired tasks", () => {
    it("have ended, and both their end and createdAt + ttl lie at or before the moment", () => {
      insert("running", { status: "running", ttl: 0 });
      insert("kept for ever", { status: "failed" });
      insert("ended late", { status: "failed", ttl: 10, updatedAt: 2_000 });
      insert("long ttl", { status: "succeeded", ttl: 1_500, updatedAt: 1_001 });
      insert("at once", { status: "cancelled", ttl: 0 });
      expect(ids(store().expired(999, 9))).toEqual([]);
      expect(ids(store().expired(1_000, 9))).toEqual(["at once"]);
      expect(ids(store().expired(1_999, 9))).toEqual(["at once"]);
      expect(ids(store().expired(2_000, 9))).toEqual(["at once", "ended late"]);
      expect(ids(store().expired(2_499, 9))).toEqual(["at once", "ended late"]);
      expect(ids(store().expired(2_500, 9))).toEqual(["at once", "ended late", "long ttl"]);
      expect(ids(store().expired(2_500, 2))).toEqual(["at once", "ended late"]);
      expect(store().expired(2_500, 1)).toEqual([store().task("at once")]);
    });

    it("may have been created with the longest ttl", () => {
      insert("t1", {
        status: "failed",
        createdAt: 1_900_000_000_000,
        updatedAt: 1_900_000_000_000,
        ttl: 2_147_483_647,
      });
      expect(ids(store().expired(1_902_147_483_646, 9))).toEqual([]);
      expect(ids(store().expired(1_902_147_483_647, 9))).toEqual(["t1"]);
    });
  });

  describe("overdue tasks", () => {
    it("are unfinished and past createdAt + ttl, oldest expiry first", () => {
      insert("kept for ever", {});
      insert("later", { status: "running", ttl: 500 });
      insert("at once", { ttl: 0 });
      insert("waiting", { status: "input_required", createdAt: 900, ttl: 200 });
      insert("as late", { status: "loading", createdAt: 1_100, ttl: 400 });
      insert("ended", { status: "succeeded", ttl: 0 });
      expect(ids(store().overdue(999, 9))).toEqual([]);
      expect(store().overdue(1_000, 9)).toEqual([store().task("at once")]);
      expect(ids(store().overdue(1_100, 9))).toEqual(["at once", "waiting"]);
      expect(ids(store().overdue(1_499, 9))).toEqual(["at once", "waiting"]);
      expect(ids(reopened().overdue(1_500, 9))).toEqual(["at once", "waiting", "later", "as late"]);
      expect(ids(store().overdue(1_500, 3))).toEqual(["at once", "waiting", "later"]);
    });

    it("are overdue in every status but the ended ones and cancelling, which is cancelled already", () => {
      for (const status of taskStatuses) insert(status, { status, ttl: 1 });
      expect(ids(store().overdue(1_001, 99))).toEqual(["queued", "loading", "running", "input_required"]);
    });

    it("are no longer so once they are cancelled, or gone", () => {
      for (const id of ["t1", "t2", "t3"]) insert(id, { status: "running", ttl: 1 });
      store().update("t1", "running", { status: "cancelling" });
      store().update("t2", "running", { status: "cancelled" });
      expect(ids(store().overdue(1_001, 9))).toEqual(["t3"]);
      store().remove("t3");
      expect([store().overdue(1_001, 9), store().nextExpiry()]).toEqual([[], undefined]);
    });

    it("are announced by the next expiry, past or to come", () => {
      expect(store().nextExpiry()).toBeUndefined();
      insert("kept for ever", {});
      insert("ended", { status: "failed", ttl: 0 });
      insert("cancelling", { status: "cancelling", ttl: 1 });
      expect(store().nextExpiry()).toBeUndefined();
      insert("longest", { createdAt: 1_900_000_000_000, ttl: 2_147_483_647 });
      expect(store().nextExpiry()).toBe(1_902_147_483_647);
      insert("sooner", { createdAt: 2_000, ttl: 500 });
      insert("soonest", { createdAt: 2_100, ttl: 0 });
      expect(reopened().nextExpiry()).toBe(2_100);
      store().update("soonest", "queued", { status: "cancelled" });
      expect(store().nextExpiry()).toBe(2_500);
    });
  });
}
