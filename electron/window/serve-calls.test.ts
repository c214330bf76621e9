import { describe, expect, it } from "vitest";
import type { CallName } from "../../shared/desktop/contract";
import { ProblemError } from "../../shared/problem";
import type { Handlers } from "../faces/desktop/desktop-face";
import { ownArguments } from "./own-arguments";
import { answerCall } from "./serve-calls";

const handlers = {
  cancel: ({ id }: { id: string }) => {
    if (id === "bug") throw new Error("secret path /home/somebody");
    if (id === "unknown") throw new ProblemError("task_not_found", "There is no such task.");
    return id === "leak" ? { token: "secret" } : null;
  },
} as unknown as Handlers<CallName>;

describe("a call of the window", () => {
  const bugs: unknown[] = [];
  const call = (name: unknown, input: unknown) => answerCall(handlers, name, input, (error) => bugs.push(error));

  it("is answered by its handler", async () => {
    expect(await call("cancel", { id: "task_1" })).toEqual({ ok: true, value: null });
  });

  it.each([["nonsense"], ["constructor"], ["__proto__"], [7], [null], [{ toString: 1 }], [[{ toString: null }]]])(
    "is refused when its name is %j",
    async (name) => {
      expect(await call(name, null)).toMatchObject({ ok: false, problem: { code: "invalid_request" } });
    },
  );

  it("is refused by the name of the field when its input is not what the contract says", async () => {
    expect(await call("cancel", { id: 7 })).toMatchObject({
      problem: { detail: expect.stringMatching(/^cancel\.id: /) },
    });
    expect(await call("cancel", { id: "a", more: 1 })).toMatchObject({ ok: false });
  });

  it("is refused when its input is no tree, or too deep to be walked", async () => {
    const round: { self?: object } = {};
    round.self = round;
    const twice = { text: "hello" };
    const deep = JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`);
    for (const schema of [round, { one: twice, other: twice }, { deep }])
      expect(await call("create", { prompt: "Hi", schema })).toMatchObject({
        ok: false,
        problem: { code: "invalid_request" },
      });
    expect(bugs).toEqual([]);
  });

  it("tells an expected failure, and nothing of a bug but that there was one", async () => {
    expect(await call("cancel", { id: "unknown" })).toMatchObject({ problem: { code: "task_not_found" } });
    const answer = await call("cancel", { id: "bug" });
    expect(answer).toMatchObject({ ok: false, problem: { code: "internal" } });
    expect(JSON.stringify(answer)).not.toContain("secret");
    expect(String(bugs[0])).toContain("secret");
  });

  it("lets nothing out that the contract does not say", async () => {
    expect(JSON.stringify(await call("cancel", { id: "leak" }))).not.toContain("secret");
  });
});

describe("our own arguments", () => {
  it("are found among those of Electron and Chromium", () => {
    const argv = ["electron", "--inspect=0", "/app", "--no-sandbox", "--port", "0", "--set=a=b", "--data-dir", "/d"];
    expect(ownArguments(argv)).toEqual(["--port", "0", "--set=a=b", "--data-dir", "/d"]);
  });
});
