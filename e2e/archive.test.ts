import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HostProcess } from "./host";
import { type Frame, LmspClient, type LmspTask } from "./lmsp-client";
import { slowModelFolder } from "./slow-model";

const root = fileURLToPath(new URL("..", import.meta.url));
const slow = { model: "simmer-slow", input: "Write a long report about bees.", temperature: 0 };

let folder: string;
let [dataDir, otherDir] = ["", ""];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "simmer-archive-"));
  [dataDir, otherDir] = [join(folder, "data"), join(folder, "other")];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As the documents say. */
function simmer(...options: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const args = ["run", "--silent", "headless", "--", ...options];
    execFile("npm", args, { cwd: root, maxBuffer: 1e9 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

async function start(dataDir: string): Promise<{ host: HostProcess; lmsp: LmspClient }> {
  const host = await HostProcess.start({ dataDir, modelsDir: await slowModelFolder() });
  return { host, lmsp: new LmspClient(host.endpoint) };
}

interface Known {
  readonly task: LmspTask;
  readonly events: readonly Frame[];
}

async function known(lmsp: LmspClient, id: string): Promise<Known> {
  const events = await lmsp.allEvents(id);
  return { task: await lmsp.task(id), events };
}

test("what a host exports while it works, another imports and serves in the very same words", async () => {
  const first = await start(dataDir);
  const keyed = { "idempotency-key": "once" };
  const created = await first.lmsp.create("What is the capital of Japan?", {}, keyed);
  const ended = [await known(first.lmsp, created.id)];
  ended.push(await known(first.lmsp, (await first.lmsp.create({ input: "Hello \u2028", max_output_tokens: 3 })).id));
  const cancelled = await first.lmsp.create(slow);
  await first.lmsp.cancel(cancelled.id);
  ended.push(await known(first.lmsp, cancelled.id));
  const running = await first.lmsp.create(slow, { on_restart: "resume" });
  await first.lmsp.until(running.id, "running");

  const file = join(folder, "all.jsonl");
  expect(await simmer("--data-dir", dataDir, "--export", file)).toEqual({
    code: 0,
    out: `Exported 4 tasks to ${file}.\n`,
    err: "",
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, "utf8");
  expect(text).not.toContain(first.host.endpoint.token);
  expect((await simmer("--data-dir", dataDir, "--import", file)).err).toContain("Another Simmer is using the folder");
  await first.host.stop();

  const imported = await simmer("--data-dir", otherDir, "--import", file);
  expect(imported).toEqual({ code: 0, out: "Imported 4 tasks.\n", err: "" });
  expect((await simmer("--data-dir", otherDir, "--import", file)).out).toBe(
    "Imported 0 tasks; 4 tasks of the file were there already.\n",
  );
  const { out: again, err } = await simmer("--data-dir", otherDir, "--export", "-");
  expect(err).toBe("Exported 4 tasks.\n");
  const endedLines = (whole: string) =>
    whole.split("\n").filter((line) => ended.some(({ task }) => line.includes(task.id)));
  expect(endedLines(text).length).toBeGreaterThan(30);
  expect(endedLines(again)).toEqual(endedLines(text));

  const second = await start(otherDir);
  for (const { task, events } of ended) {
    expect(await second.lmsp.task(task.id)).toEqual(task);
    expect((await second.lmsp.allEvents(task.id)).map(({ raw }) => raw)).toEqual(events.map(({ raw }) => raw));
  }
  const failed = await second.lmsp.task(running.id);
  expect([failed.status, failed.error?.code]).toEqual(["failed", "server_restarted"]);
  expect((await second.lmsp.allEvents(running.id)).at(-1)?.event).toBe("response.failed");
  // LMSP 7.1: the key goes on meaning this task.
  expect((await second.lmsp.create("What is the capital of Japan?", {}, keyed)).id).toBe(created.id);
  await second.host.stop();
});

test("a backup made under load opens, is sound, and has every task that was acknowledged before it began", async () => {
  const first = await start(dataDir);
  const { lmsp } = first;
  const ended = await known(lmsp, (await lmsp.create("What is the capital of Italy?")).id);
  const running = await lmsp.create(slow, { on_restart: "resume" });
  await lmsp.until(running.id, "running");
  const acknowledged = [ended.task.id, running.id];
  const streams = new AbortController();
  let loading = true;
  const load = Array.from({ length: 4 }, async () => {
    while (loading) {
      const { id } = await lmsp.create({ ...slow, max_output_tokens: 30 });
      acknowledged.push(id);
      void lmsp
        .events(id, undefined, "query", streams.signal)
        .then(
          (answer) => answer.body?.pipeTo(new WritableStream()),
          () => undefined,
        )
        .catch(() => undefined);
      await lmsp.cancel(id);
    }
  });
  for (let rounds = 0; rounds < 3; rounds += 1) {
    const [file, before] = [join(folder, `${rounds}.db`), acknowledged.length];
    const { code, out } = await simmer("--data-dir", dataDir, "--backup", file);
    expect([code, out]).toEqual([0, expect.stringMatching(/^Backed up \d+ tasks to /)]);
    // Some were created meanwhile: the host was not held up.
    expect(acknowledged.length).toBeGreaterThan(before);
    const restored = join(folder, `restored-${rounds}`);
    mkdirSync(restored);
    copyFileSync(file, join(restored, "simmer.db"));
    const { out: lines } = await simmer("--data-dir", restored, "--export", "-");
    for (const id of acknowledged.slice(0, before)) expect(lines).toContain(`{"type":"task","id":"${id}"`);
  }
  loading = false;
  await Promise.all(load);
  streams.abort();
  await first.host.stop();
  expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);

  const second = await start(join(folder, "restored-2"));
  expect(await known(second.lmsp, ended.task.id)).toEqual(ended);
  // As after a crash at that moment: it goes on behind the last token that was stored.
  expect((await second.lmsp.until(running.id, "running")).on_restart).toBe("resume");
  await second.host.stop();
});

test("what cannot be done ends with code 1 and one line that says why, and leaves nothing behind", async () => {
  mkdirSync(dataDir);
  const file = join(folder, "file");
  const missing = `There are no tasks: ${join(dataDir, "simmer.db")} is missing.\n`;
  for (const option of ["--backup", "--export"])
    expect(await simmer("--data-dir", dataDir, option, file)).toEqual({ code: 1, out: "", err: missing });
  expect([existsSync(file), readdirSync(dataDir), readdirSync(folder)]).toEqual([false, [], ["data"]]);
  writeFileSync(file, "mine");
  expect(await simmer("--data-dir", dataDir, "--import", file)).toEqual({
    code: 1,
    out: "",
    err: `${file} was not imported, and nothing is changed. Line 1 is not JSON in UTF-8.\n`,
  });
  for (const option of ["--backup", "--export"]) {
    const { code, err } = await simmer("--data-dir", dataDir, option, file);
    expect([code, err]).toEqual([1, `${file} exists already, and is left as it is. Choose another name.\n`]);
  }
  expect(readFileSync(file, "utf8")).toBe("mine");
});
