import type { Notification } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import { alice, scripted, TestEngine } from "../../../engine/test-engine";
import type { OpenSession, Outlet } from "./open-session";
import { tellStatuses } from "./status-notices";

it("says nothing to a reader that does not read, and the last of it when it reads again", async () => {
  const backend = scripted({ hold: ["tokens"] });
  const engine = new TestEngine(backend);
  const closed = new AbortController();
  const told: Notification[] = [];
  let slow = true;
  const session = { caller: alice, answers: [] } as Partial<OpenSession> as OpenSession;
  const outlet: Outlet = {
    session,
    closed: closed.signal,
    isSlow: () => slow,
    tell: (notification) => told.push(notification),
    ask: () => Promise.reject(new Error("Nothing is asked")),
  };
  tellStatuses(engine, outlet);
  const { id } = await engine.create();
  await engine.becomes(id, "running");
  backend.release(1_000);
  await engine.becomes(id, "succeeded");
  engine.clock.advance(5_000);
  expect(told).toEqual([]);
  slow = false;
  engine.clock.advance(500);
  expect(told.map(({ params }) => params?.status)).toEqual(["completed"]);
  closed.abort();
  const after = await engine.create();
  await engine.becomes(after.id, "succeeded");
  engine.clock.advance(60_000);
  expect(told).toHaveLength(1);
  await backend.close();
});
