import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { identityOf } from "./process-identity";
import { ProcessRecord } from "./process-record";

let folder: string;
let file: string;
let logged: string[];
let record: ProcessRecord;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "simmer-record-"));
  file = join(folder, "inference.json");
  logged = [];
  record = new ProcessRecord(folder, { warn: (line) => logged.push(line) });
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

/** A process that does nothing; its number. */
async function idle(): Promise<{ readonly pid: number; readonly exited: Promise<unknown[]> }> {
  const child = spawn(process.execPath, ["-e", "console.log(1); setInterval(() => undefined, 1e6)"]);
  children.push(child);
  await once(child.stdout, "data");
  return { pid: Number(child.pid), exited: once(child, "exit") };
}

describe.skipIf(process.platform === "win32")("the note of the inference process", () => {
  it("lets the next host end a process that was left behind, also one that is stopped", async () => {
    const { pid, exited } = await idle();
    record.note(pid);
    process.kill(pid, "SIGSTOP");
    new ProcessRecord(folder, { warn: (line) => logged.push(line) }).endLeftover();
    expect(await exited).toEqual([null, "SIGKILL"]);
    expect(logged).toEqual([expect.stringContaining(`(${pid}) was left behind`)]);
    expect(existsSync(file)).toBe(false);
  });

  it("costs no other process that has its number by now", async () => {
    const { pid } = await idle();
    record.note(pid);
    const written = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...written, identity: `${written.identity}0` }));
    record.endLeftover();
    expect(identityOf(pid)).not.toBeNull();
    expect(logged).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });

  it("takes a draft away that a killed host left", () => {
    writeFileSync(`${file}.tmp`, "{");
    record.endLeftover();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is nothing to the next host when it is gone, damaged, or of a process that has ended", async () => {
    record.endLeftover();
    writeFileSync(file, "{");
    record.endLeftover();
    const { pid, exited } = await idle();
    record.note(pid);
    process.kill(pid, "SIGKILL");
    await exited;
    record.endLeftover();
    expect(logged).toEqual([]);
  });

  it("is taken away, and may be so twice", async () => {
    record.note((await idle()).pid);
    record.clear();
    record.clear();
    expect(existsSync(file)).toBe(false);
  });

  it("keeps nothing from running when the folder cannot be written", async () => {
    const { pid } = await idle();
    const nowhere = new ProcessRecord(join(folder, "missing"), { warn: (line) => logged.push(line) });
    nowhere.note(pid);
    nowhere.clear();
    expect(logged).toEqual([expect.stringContaining("could not be noted")]);
  });
});

describe.skipIf(process.platform === "win32")("the identity of a process", () => {
  it("stays the same, and is no other's", async () => {
    const [one, two] = [await idle(), await idle()];
    expect(identityOf(one.pid)).toBe(identityOf(one.pid));
    if (process.platform === "linux") expect(identityOf(one.pid)).not.toBe(identityOf(two.pid));
  });

  it("ends with it", async () => {
    const { pid, exited } = await idle();
    process.kill(pid, "SIGKILL");
    await exited;
    expect(identityOf(pid)).toBeNull();
  });
});
