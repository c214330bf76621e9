import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { settingsSchema } from "../shared/settings";
import { discreetLogger, openHostLog } from "./host-log";

describe("the host's log", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "simmer-log-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is a file too, for its owner alone, of what weighs enough, and begins anew when it is large", () => {
    const { log, close } = openHostLog(folder, settingsSchema.parse({ "logs.max_bytes": 1_024, "logs.files": 2 }));
    log.info("unheard");
    for (let count = 0; count < 100; count += 1) log.warn(`warning ${count}`);
    close();
    const names = readdirSync(join(folder, "logs")).sort();
    expect(names).toEqual(["simmer.log", "simmer.log.1", "simmer.log.2"]);
    const texts = names.map((name) => readFileSync(join(folder, "logs", name), "utf8"));
    for (const name of names) expect(statSync(join(folder, "logs", name)).mode & 0o777).toBe(0o600);
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(1_024);
    expect(JSON.parse(texts[0]?.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ level: 40, msg: "warning 99" });
    expect(texts.join("")).not.toContain("unheard");
  });

  it("goes on where no file can be written", () => {
    mkdirSync(join(folder, "logs", "simmer.log"), { recursive: true });
    const { log, close } = openHostLog(folder, settingsSchema.parse({}));
    log.warn("heard on stderr");
    close();
    expect(readdirSync(join(folder, "logs", "simmer.log"))).toEqual([]);
  });
});

describe("what is logged", () => {
  const token = randomBytes(32).toString("base64url");
  const lines: string[] = [];
  const log = discreetLogger("trace", { write: (line) => lines.push(line) });
  beforeEach(() => {
    lines.length = 0;
  });

  it.each([
    ["a header", () => log.warn({ headers: { authorization: `Bearer ${token}` } })],
    ["a whole request", () => log.trace({ req: { url: `/?token=${token}`, headers: { authorization: token } } })],
    ["a field", () => log.warn({ token: "secret" }, "secret".slice(6))],
    ["a prompt", () => log.debug({ task: { input: { prompt: "secret" }, messages: ["secret"] } })],
    ["the message itself", () => log.info(`there came ${token}, and Bearer secret`)],
    ["an error", () => log.error(new Error(`no client has ${token}`))],
    ["an error's cause", () => log.error({ err: new Error("no", { cause: new Error(token) }) })],
    ["text that was no JSON", () => log.error({ err: parsing('{"prompt": "secret"') }, "a bug")],
    ["other text that was no JSON", () => log.error(parsing("secret"))],
    ["more text that was no JSON", () => log.error(parsing(`${"x".repeat(40)} "secret`))],
    ["a cause that was no JSON", () => log.error(new Error("no", { cause: parsing("secret") }))],
    ["a child's field", () => log.child({ prompt: "secret" }).warn("said")],
  ])("has no secrets, in %s", (_name, write) => {
    write();
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain("secret");
    expect(lines[0]).not.toContain(token);
    expect(() => JSON.parse(lines[0] ?? "")).not.toThrow();
  });

  it("still says what happened", () => {
    log.error({ err: new TypeError("x is undefined"), task: "task_01J8M8R5X3V7B2N4Q9T1W6Y0ZC" }, "a fault of Simmer");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      msg: "a fault of Simmer",
      task: "task_01J8M8R5X3V7B2N4Q9T1W6Y0ZC",
      err: { type: "TypeError", message: "x is undefined", stack: expect.stringContaining("host-log.test.ts") },
    });
  });
});

function parsing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}
