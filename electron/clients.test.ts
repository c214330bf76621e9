import { beforeEach, describe, expect, it } from "vitest";
import { ProblemError } from "../shared/problem";
import { Clients } from "./clients";
import type { AuditEntry } from "./engine/audit";
import { TestClock } from "./engine/test-clock";
import { hashToken } from "./http/auth";
import { MemoryStore } from "./store/memory-store";

let store: MemoryStore;
let clock: TestClock;
let audited: AuditEntry[];
beforeEach(() => {
  store = new MemoryStore();
  clock = new TestClock();
  audited = [];
});

/** The clients of a host that starts on the store as it is now. */
function start(): Clients {
  const clients = new Clients(store, clock, (entry) => audited.push(entry));
  clients.load();
  return clients;
}

function full(): never {
  throw new ProblemError("storage_failed", "The disk is full.");
}

describe("the clients", () => {
  it("are known by their tokens", () => {
    const clients = start();
    const [local, agent] = [clients.issueToken("local"), clients.issueToken("agent")];
    expect(clients.authenticate(hashToken(agent))?.client).toBe("agent");
    expect(clients.authenticate(hashToken(local))?.client).toBe("local");
    expect(clients.authenticate(hashToken(""))).toBeUndefined();
    expect(clients.authenticate("")).toBeUndefined();
  });

  it("are noted when they call, once a minute at most, also over a restart", () => {
    const clients = start();
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
    start().issueToken("agent");
    expect(store.client("agent")?.lastSeenAt).toBe(first + 60_000);
  });

  it("that came before storage could be read keep their tokens, and are noted beside those stored before", () => {
    const lasting = start().create("agent", "desktop");
    const clients = new Clients(store, clock, () => undefined);
    const early = clients.issueToken("local");
    expect(clients.authenticate(hashToken(lasting))).toBeUndefined();
    clients.load();
    clients.load();
    expect(clients.authenticate(hashToken(lasting))?.client).toBe("agent");
    expect(clients.authenticate(hashToken(early))?.client).toBe("local");
    expect(store.clients().map(({ name }) => name)).toEqual(["desktop", "agent", "local"]);
    clients.revoke("agent", "desktop");
    expect(clients.authenticate(hashToken(lasting))).toBeUndefined();
  });

  it("are there and let in although nothing can be noted", () => {
    const clients = start();
    store.touchClient = full;
    store.putClient = full;
    const hash = hashToken(clients.issueToken("agent"));
    expect(clients.authenticate(hash)?.client).toBe("agent");
    expect(clients.list().map(({ name, token }) => [name, token])).toEqual([
      ["desktop", "none"],
      ["agent", "run"],
    ]);
  });

  it.each(["", "a b", "a/b", "x".repeat(65), "local", "desktop", "ä"])("cannot be called %j", (name) => {
    expect(() => start().create(name, "desktop")).toThrow(/invalid_request: name: (must be|cannot be)/);
    expect(store.client(name)?.tokenHash ?? null).toBeNull();
  });
});

describe("a token of a run", () => {
  it("is not stored, not even its hash, and is void after a restart; the client and its age stay", () => {
    const token = start().issueToken("agent");
    expect(JSON.stringify(store.clients())).not.toContain(token);
    expect(store.client("agent")).toMatchObject({ tokenHash: null, createdAt: clock.now() });
    const createdAt = clock.now();
    clock.advance(1_000);
    const next = start();
    expect(next.authenticate(hashToken(token))).toBeUndefined();
    next.issueToken("agent");
    expect(store.client("agent")?.createdAt).toBe(createdAt);
  });

  it("is good beside one that lasts, until the client's token is rotated", () => {
    const clients = start();
    const lasting = clients.create("agent", "desktop");
    const run = clients.issueToken("agent");
    for (const token of [lasting, run]) expect(clients.authenticate(hashToken(token))?.client).toBe("agent");
    clients.rotate("agent", "desktop");
    for (const token of [lasting, run]) expect(clients.authenticate(hashToken(token))).toBeUndefined();
  });
});

describe("a token that lasts", () => {
  it("is told once, of 256 bits, stored as its hash, and good after a restart", () => {
    const token = start().create("agent", "desktop");
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    expect(store.client("agent")?.tokenHash).toBe(hashToken(token));
    const next = start();
    expect(next.authenticate(hashToken(token))?.client).toBe("agent");
    expect(JSON.stringify([next.list(), audited])).not.toContain(token);
    expect(next.list().find(({ name }) => name === "agent")?.token).toBe("lasting");
  });

  it("is made with its client, whose name must be new: its tasks are not to be taken over", () => {
    const clients = start();
    clients.issueToken("agent");
    expect(() => clients.create("agent", "desktop")).toThrow("client_exists");
    expect(store.client("agent")?.tokenHash).toBeNull();
  });

  it("that is rotated is void at once and after a restart, and what was opened with it ends; the new one is good", () => {
    const clients = start();
    const old = clients.create("agent", "desktop");
    const other = clients.authenticate(hashToken(clients.create("other", "desktop")));
    const credential = clients.authenticate(hashToken(old));
    const knownAtEnd: unknown[] = [];
    credential?.ended.addEventListener("abort", () => knownAtEnd.push(clients.authenticate(hashToken(old))));
    const token = clients.rotate("agent", "desktop");
    expect(knownAtEnd).toEqual([undefined]);
    expect(other?.ended.aborted).toBe(false);
    for (const run of [clients, start()]) {
      expect(run.authenticate(hashToken(old))).toBeUndefined();
      expect(run.authenticate(hashToken(token))?.client).toBe("agent");
    }
  });

  it("that is revoked is void at once and after a restart; its client stays, and can have a new one", () => {
    const clients = start();
    const token = clients.create("agent", "desktop");
    const credential = clients.authenticate(hashToken(token));
    clients.revoke("agent", "desktop");
    expect(credential?.ended.aborted).toBe(true);
    const next = start();
    for (const run of [clients, next]) expect(run.authenticate(hashToken(token))).toBeUndefined();
    expect(next.list().map(({ name, token: kind }) => [name, kind])).toEqual([
      ["desktop", "none"],
      ["agent", "none"],
    ]);
    expect(next.authenticate(hashToken(next.rotate("agent", "desktop")))?.client).toBe("agent");
  });

  it("is void also when the disk is too full to store so, which is said", () => {
    const clients = start();
    const token = clients.create("agent", "desktop");
    store.putClient = full;
    expect(() => clients.revoke("agent", "desktop")).toThrow(/storage_failed: .*void until Simmer stops/);
    expect(clients.authenticate(hashToken(token))).toBeUndefined();
  });

  it("that cannot be stored is not given out, and the old one stays good", () => {
    const clients = start();
    const old = clients.create("agent", "desktop");
    store.putClient = full;
    expect(() => clients.create("another", "desktop")).toThrow("storage_failed");
    expect(() => clients.rotate("agent", "desktop")).toThrow("storage_failed");
    expect(clients.authenticate(hashToken(old))?.client).toBe("agent");
    expect(clients.list().map(({ name }) => name)).toEqual(["desktop", "agent"]);
  });

  it("is never one of the window or of whoever reads endpoint.json", () => {
    const clients = start();
    const local = clients.issueToken("local");
    for (const change of [clients.rotate, clients.revoke].map((one) => one.bind(clients))) {
      expect(() => change("desktop", "desktop")).toThrow(/the window has no token/);
      expect(() => change("local", "desktop")).toThrow(/restart Simmer/);
      expect(() => change("nobody", "desktop")).toThrow("client_not_found");
    }
    expect(clients.authenticate(hashToken(local))?.client).toBe("local");
  });

  it("leaves a trace each time: who did what to whose, never the token", () => {
    const clients = start();
    clients.create("agent", "desktop");
    clients.rotate("agent", "desktop");
    clients.revoke("agent", "desktop");
    expect(audited).toEqual(
      ["token_created", "token_rotated", "token_revoked"].map((action) => ({
        action,
        client: "desktop",
        subject: "agent",
      })),
    );
  });
});
