import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HostProcess } from "./host";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const section = /\n## Call it\n(.*?)\n## /s.exec(readme)?.[1] ?? "";
const [variables = "", ...examples] = [...section.matchAll(/```bash\n(.*?)```/gs)].map(([, script = ""]) => script);

let home: string;
let host: HostProcess;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "simmer-readme-"));
  host = await HostProcess.start({ dataDir: join(home, ".config", "simmer") });
});
afterAll(async () => {
  await host.stop();
  rmSync(home, { recursive: true, force: true });
});

const separator = "-- next example --";

/** Pastes all examples into one shell, as a reader does who goes from one to the next. */
async function paste(): Promise<string[]> {
  const script = ["set -euo pipefail", variables, examples.join(`\necho; echo '${separator}'\n`)].join("\n");
  const { stdout } = await promisify(execFile)("bash", ["-c", script], { env: { ...process.env, HOME: home } });
  return stdout.split(`${separator}\n`);
}

const idsOf = (stream: string) => [...stream.matchAll(/^id: ?(\d+)$/gm)].map(([, id]) => Number(id));

test("the examples of the README work as they are written, one after the other", async () => {
  const [created = "", polled = "", followed = "", resumed = "", cancelled = "", lasting = "", ...rest] = await paste();

  expect(JSON.parse(created)).toMatchObject({ object: "task", status: "queued" });
  expect(JSON.parse(polled)).toMatchObject({ id: JSON.parse(created).id });
  expect(followed).toContain("event: response.completed");
  const ids = idsOf(followed);
  expect(ids.length).toBeGreaterThan(6);
  const later = ids.filter((id) => id > 5);
  expect(idsOf(resumed)).toEqual([...later, ...later]);
  expect(JSON.parse(cancelled)).toMatchObject({ on_restart: "retry", status: expect.stringMatching(/^cancell/) });
  expect(JSON.parse(lasting)).toMatchObject({ on_restart: "resume", status: "queued" });

  const [response, models, capabilities] = (rest[0] ?? "").split(/(?<=\})\s*(?=\{)/).map((text) => JSON.parse(text));
  expect(response).toMatchObject({ object: "response", status: "completed" });
  expect(models).toMatchObject({ object: "list", data: [{ id: "simmer-demo" }] });
  expect(capabilities).toMatchObject({ event_resume: true });
});
