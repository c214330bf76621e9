import { describe, expect } from "vitest";
import { z } from "zod";
import { methodsThatMayExist } from "./known-methods";
import type { ModernClient } from "./modern-client";
import { it } from "./test";
import type { TestHost } from "./test-host";

/** Looks like an id and is none. */
const unknownId = "task_00000000000000000000000000";
const secret = "what alice wrote";

type Params = Readonly<Record<string, unknown>>;
/** What to send to touch a task by its id; `harmless` names no task, and must tell of none. */
type Attempt = ((taskId: string) => Params) | "harmless";

const byId = (taskId: string) => ({ taskId });
const byUri = (taskId: string) => ({ uri: `simmer://tasks/${taskId}` });

const legacyMethods: Readonly<Record<string, Attempt>> = {
  initialize: "harmless",
  ping: "harmless",
  "tools/list": "harmless",
  "tools/call": () => ({ name: "list_models", arguments: {} }),
  "resources/list": "harmless",
  "resources/templates/list": "harmless",
  "resources/read": byUri,
  "tasks/list": "harmless",
  "tasks/get": byId,
  "tasks/result": byId,
  "tasks/cancel": byId,
};

const answerFor = (key: string) => (taskId: string) => ({
  taskId,
  inputResponses: { [key]: { action: "accept", content: { name: "Mallory" } } },
});

function modernMethods(questionKey: string): Readonly<Record<string, Attempt>> {
  return {
    "server/discover": "harmless",
    "tools/list": "harmless",
    "tools/call": () => ({ name: "list_models", arguments: {} }),
    "resources/list": "harmless",
    "resources/templates/list": "harmless",
    "resources/read": byUri,
    "tasks/get": byId,
    "tasks/update": answerFor(questionKey),
    "tasks/cancel": byId,
    "subscriptions/listen": (taskId) => ({ notifications: { taskIds: [taskId] } }),
  };
}

/** By method and path. `{id}` is a task's; `harmless` as above. */
const routes: Readonly<Record<string, "by id" | "harmless" | "by its methods" | "by its session">> = {
  "GET /lmsp/v1/tasks": "harmless",
  "POST /lmsp/v1/tasks": "harmless",
  "GET /lmsp/v1/tasks/{id}": "by id",
  "POST /lmsp/v1/tasks/{id}/cancel": "by id",
  "GET /lmsp/v1/tasks/{id}/events": "by id",
  "POST /lmsp/v1/responses": "harmless",
  "GET /lmsp/v1/models": "harmless",
  "GET /lmsp/v1/capabilities": "harmless",
  "GET /openapi.json": "harmless",
  "POST /mcp": "by its methods",
  "GET /mcp": "by its session",
  "DELETE /mcp": "by its session",
};

/** Alice's tasks in every condition that a stranger could meddle with. */
async function alicesTasks(host: TestHost): Promise<readonly string[]> {
  const client = await host.client({ capabilities: { elicitation: {} } });
  host.desk.open(secret);
  const ended = await client.start("hold", { label: secret });
  await client.until(ended, "completed");
  const generated = await client.start("generate", { prompt: secret });
  await client.until(generated, "completed");
  const failed = await client.start("problem", { detail: secret });
  await client.until(failed, "failed");
  const working = await client.start("hold", { label: "never opened" });
  const writing = await client.start("generate", { prompt: secret, model: "held" });
  await host.eventually(() => host.seenAtTheDesktop(writing).status === "running");
  const asking = await client.start("ask", { label: secret });
  await client.until(asking, "input_required");
  return [ended, generated, failed, working, writing, asking];
}

function everythingOf(host: TestHost, ids: readonly string[]) {
  return ids.map((id) => ({ task: host.seenAtTheDesktop(id), questions: host.questions(id) }));
}

/** The same answer to another's task as to none, and nothing of alice in any answer. */
async function expectNothing(
  attempt: Attempt,
  ids: readonly string[],
  send: (params: Params) => Promise<string>,
): Promise<void> {
  if (attempt === "harmless") {
    expectNoWordOf(ids, await send({}));
    return;
  }
  const toNone = withoutId(await send(attempt(unknownId)), unknownId);
  for (const id of ids) {
    const toAlices = withoutId(await send(attempt(id)), id);
    expect(toAlices).toBe(toNone);
    expectNoWordOf(ids, toAlices);
  }
}

function expectNoWordOf(ids: readonly string[], text: string): void {
  for (const word of [...ids, secret]) expect(text).not.toContain(word);
}

/** Without what differs by itself: the id that was asked for, and JSON-RPC ids. */
function withoutId(text: string, id: string): string {
  return text.replaceAll(id, "ID").replace(/"(id|[a-z./]+subscriptionId)":\d+/gi, '"$1":0');
}

async function textOf(answer: Promise<unknown>): Promise<string> {
  return JSON.stringify(await answer);
}

describe("two clients with tokens of their own", () => {
  it("every route is in the table below", async ({ host }) => {
    const document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
    const { paths } = document.parse(await (await host.lmsp().request("/../../openapi.json")).json());
    const found = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(found.filter((route) => !(route in routes))).toEqual([]);
    expect(found.length).toBeGreaterThan(8);
  });

  it("every method that a session of 2025-11-25 answers is in the table", async ({ client }) => {
    const found = await answered(methodsThatMayExist(), async (method) => {
      const { answer } = await client.post({ method, params: {}, id: method });
      return answer !== undefined && (!("error" in answer) || answer.error.code !== -32601);
    });
    expect(found.filter((method) => !(method in legacyMethods))).toEqual([]);
    expect(found).toContain("tasks/get");
  });

  it("every method that 2026-07-28 answers is in the table", async ({ host }) => {
    const client = host.modern();
    const table = modernMethods("");
    const found = await answered(methodsThatMayExist(), async (method) => {
      const leaving = new AbortController();
      const response = await client.post(method, {}, { signal: leaving.signal });
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
      const text = isStream ? "" : await response.text();
      leaving.abort();
      return response.status !== 202 && !text.includes("-32601");
    });
    expect(found.filter((method) => !(method in table))).toEqual([]);
    expect(found).toContain("tasks/get");
  });

  it.for(Object.entries(legacyMethods))(
    "%s of 2025-11-25 gives and changes nothing of another client's tasks",
    async ([method, attempt], { host }) => {
      const ids = await alicesTasks(host);
      const before = everythingOf(host, ids);
      const bob = await host.client({}, "bob");
      const send = (params: Params) =>
        textOf(
          method === "initialize" ? host.client({}, "bob").then(({ server }) => server) : bob.request(method, params),
        );
      await expectNothing(attempt, ids, send);
      expect(everythingOf(host, ids)).toEqual(before);
    },
  );

  it.for(Object.keys(modernMethods("")))(
    "%s of 2026-07-28 gives and changes nothing of another client's tasks",
    async (method, { host }) => {
      const ids = await alicesTasks(host);
      const before = everythingOf(host, ids);
      const [key = ""] = Object.keys((await host.modern().task(String(ids.at(-1)))).inputRequests ?? {});
      const attempt = modernMethods(key)[method] ?? "harmless";
      const bob = host.modern(undefined, "bob");
      await expectNothing(attempt, ids, (params) => firstWords(bob, method, params));
      expect(everythingOf(host, ids)).toEqual(before);
    },
  );

  it.for(Object.entries(routes))(
    "%s gives and changes nothing of another client's tasks",
    async ([route, kind], { host, client }) => {
      const ids = await alicesTasks(host);
      const before = everythingOf(host, ids);
      const [method = "", path = ""] = route.split(" ");
      const bob = host.lmsp("bob");
      const send = async (taskId: string, headers: Record<string, string> = {}) => {
        const response = await bob.request(`/../..${path.replace("{id}", taskId)}`, { method, headers });
        return `${response.status} ${await response.text()}`;
      };
      if (kind === "harmless") expectNoWordOf(ids, await send(""));
      if (kind === "by id")
        await expectNothing(
          (taskId) => ({ taskId }),
          ids,
          ({ taskId }) => send(String(taskId)),
        );
      if (kind === "by its session") {
        const headers = { accept: "text/event-stream", "mcp-session-id": String(client.session) };
        expect(await send("", headers)).toMatch(/^404 /);
        expect(await client.request("ping")).toHaveProperty("result");
      }
      expect(everythingOf(host, ids)).toEqual(before);
    },
  );

  // Case 26.
  it("nothing that happens to one client's tasks is told to another, on any stream", async ({ host }) => {
    const bob = await host.client({ listen: true, capabilities: { elicitation: {}, sampling: {} } }, "bob");
    const alice = await host.client({ listen: true, capabilities: { elicitation: {} } });
    const leaving = new AbortController();
    const counted = await alice.start("count", { label: "c", total: 1 }, {}, { progressToken: "alices" });
    const subscription = host.modern(undefined, "bob").listen({ taskIds: [counted] }, leaving.signal);
    expect((await subscription.next()).value).not.toMatchObject({ params: { notifications: { taskIds: [counted] } } });
    host.desk.open("c", 2);
    await alice.until(counted, "completed");
    const asking = await alice.start("ask", { label: "a" });
    const asked = await alice.next("elicitation/create");
    // An answer from elsewhere, under the very id.
    await bob.post({ id: asked.id, result: { action: "accept", content: { name: "Mallory" } } });
    expect((await alice.task(asking)).status).toBe("input_required");
    await alice.cancel(asking);
    await alice.next("notifications/tasks/status", ({ params }) => params.status === "cancelled");
    host.desk.open("b");
    const own = await bob.start("hold", { label: "b" });
    await bob.next("notifications/tasks/status", ({ params }) => params.status === "completed");
    expect(new Set(bob.received.map(({ params }) => params.taskId))).toEqual(new Set([own]));
    expect(bob.received.every(({ method }) => method === "notifications/tasks/status")).toBe(true);
    leaving.abort();
  });
});

/** One after the other: each may be a stream. */
async function answered(
  methods: readonly string[],
  isAnswered: (method: string) => Promise<boolean>,
): Promise<string[]> {
  const found: string[] = [];
  for (const method of methods) {
    if (method.startsWith("notifications/")) continue;
    if (await isAnswered(method)) found.push(method);
  }
  return found;
}

/** An answer with its status; of a stream the first message. */
async function firstWords(client: ModernClient, method: string, params: Params): Promise<string> {
  const leaving = new AbortController();
  const response = await client.post(method, params, { signal: leaving.signal });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let done = false; !done && !(isStream && text.includes("\n\n")); ) {
    const chunk = await reader?.read();
    done = chunk?.done ?? true;
    text += chunk?.value ?? "";
  }
  leaving.abort();
  return `${response.status} ${text}`;
}
