import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { alice, scripted, TestEngine } from "../../../engine/test-engine";
import type { Era } from "../era";
import { ListCursors } from "../list-cursor";
import { TaskResources } from "../resources/task-resources";
import { legacyEra } from "./legacy-era";

function eraOf({ service, clock, bugs }: TestEngine): Era {
  const key = randomBytes(32);
  const cursors = new ListCursors(key);
  const resources = new TaskResources(service, cursors);
  const onBug = (error: unknown) => void bugs.push(error);
  return legacyEra({ service, clock, key, cursors, resources, onBug, version: "1", registration: { tools: [] } });
}

it("does not wait for calls whose callers had left before it looked at them", async () => {
  const engine = new TestEngine(scripted({}));
  const era = eraOf(engine);
  const closed = AbortSignal.abort("caller left");
  const life = new AbortController();
  const call = async (method: string, body: unknown, session?: string | null) => {
    const accept = "application/json, text/event-stream";
    const headers = new Headers({ accept, "content-type": "application/json" });
    if (session) headers.set("mcp-session-id", session);
    const request = new Request("http://localhost/mcp", { method, headers });
    return await era.answer({ request, body, caller: alice, closed, tokenEnded: life.signal, isSlow: () => false });
  };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const begun = await call("POST", { jsonrpc: "2.0", id: 1, method: "initialize", params });
  const session = begun.headers.get("mcp-session-id");
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const answers = [await call("POST", ping, session), await call("GET", undefined, session)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  engine.clock.advance(2 * 60 * 60_000);
  expect((await call("POST", ping, session)).status).toBe(404);
  await era.close();
  expect(engine.bugs).toEqual([]);
});
