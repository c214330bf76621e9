import { beforeEach, describe, expect, it } from "vitest";
import { ProblemError } from "../shared/problem";
import { Clients } from "./clients";
import { TestClock } from "./engine/test-clock";
import { hashToken } from "./http/auth";
import { MemoryStore } from "./store/memory-store";

describe("the clients", () => {
  let store: MemoryStore;
  let clock: TestClock;
  beforeEach(() => {
    store = new MemoryStore();
    clock = new TestClock();
  });

  it("are known by their tokens, of which only hashes are stored", () => {
    const clients = new Clients(store, clock);
    const [local, agent] = [clients.issueToken("local"), clients.issueToken("agent")];
    expect(clients.authenticate(hashToken(agent))).toEqual({ client: "agent" });
    expect(clients.authenticate(hashToken(local))).toEqual({ client: "local" });
    expect(clients.authenticate(hashToken(""))).toBeUndefined();
    expect(JSON.stringify(store.clients())).not.toContain(agent);
    expect(store.client("agent")?.tokenHash).toBe(hashToken(agent));
  });

  it("lose their tokens with the run, and keep the rest", () => {
    const token = new Clients(store, clock).issueToken("agent");
    const { createdAt } = store.client("agent") ?? {};
    clock.advance(1_000);
    const next = new Clients(store, clock);
    expect(next.authenticate(hashToken(token))).toBeUndefined();
    next.issueToken("agent");
    expect(store.client("agent")).toMatchObject({ createdAt });
    expect(store.client("desktop")).toMatchObject({ tokenHash: null });
  });

  it("are noted when they call, once a minute at most, also over a restart", () => {
    const clients = new Clients(store, clock);
    const hash = hashToken(clients.issueToken("agent"));
    expect(store.client("agent")?.lastSeenAt).toBeNull();
    const first = clock.now();
    clients.authenticate(hash);
    clock.advance(59_999);
    clients.authenticate(hash);
    expect(store.client("agent")?.lastSeenAt).toBe(first);
    clock.advance(1);
    clients.authenticate(hash);
    expect(store.client("agent")?.lastSeenAt).toBe(first + 60_000);
    clients.issueToken("agent");
    new Clients(store, clock).issueToken("agent");
    expect(store.client("agent")?.lastSeenAt).toBe(first + 60_000);
  });

  it("are let in although it cannot be noted", () => {
    const clients = new Clients(store, clock);
    const hash = hashToken(clients.issueToken("agent"));
    store.touchClient = () => {
      throw new ProblemError("storage_failed", "The disk is full.");
    };
    expect(clients.authenticate(hash)).toEqual({ client: "agent" });
  });
});
