import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { startChild } from "./child-of-test";
import { FolderInUseError, type FolderLock, lockFolder } from "./folder-lock";

const holder = new URL("./lock-holder.ts", import.meta.url);
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "simmer-lock-"));
  return () => rmSync(folder, { recursive: true });
});

function lock(of = folder): FolderLock {
  const taken = lockFolder(of);
  onTestFinished(() => taken.release());
  return taken;
}

test("a folder is held once in a process, until it is released", () => {
  const first = lock();
  expect(() => lockFolder(folder)).toThrow(FolderInUseError);
  // The refused one was closed: on POSIX that must not have dropped the lock.
  expect(() => lockFolder(folder)).toThrow(FolderInUseError);
  first.release();
  first.release();
  const second = lock();
  expect(() => lockFolder(folder)).toThrow(FolderInUseError);
  first.release();
  expect(() => lockFolder(folder)).toThrow(FolderInUseError);
  second.release();
});

test("the refusal names the folder and says what to do", () => {
  lock();
  for (const part of [folder, "Another Simmer", "Stop it", "--data-dir"])
    expect(() => lockFolder(folder)).toThrow(part);
});

test("two folders are held apart", () => {
  const other = join(folder, "漢字 with　blanks");
  mkdirSync(other);
  lock();
  lock(other);
});

test("a second process is refused while this one holds the folder", async () => {
  lock();
  expect(() => lockFolder(folder)).toThrow(FolderInUseError);
  const child = startChild(holder, folder);
  onTestFinished(() => child.kill());
  expect(await child.ended).toBe(0);
  expect(child.lines).toEqual([expect.stringMatching(/^FolderInUseError: .*--data-dir/)]);
});

test("the lock of another process holds against this one, and SIGKILL ends it at once", async () => {
  const child = startChild(holder, folder);
  onTestFinished(() => child.kill());
  await child.wrote(1);
  expect(child.lines).toEqual(["locked"]);
  expect(() => lockFolder(folder)).toThrow(FolderInUseError);
  await child.kill();
  const next = lock();
  next.release();
});

test("the lock writes nothing, so that a full disk does not stop it and nothing of it can be damaged", () => {
  lock();
  expect(readdirSync(folder)).toEqual(["lock.db"]);
  expect(statSync(join(folder, "lock.db")).size).toBe(0);
});

test("a folder that is not there is a failure of the medium", () => {
  expect(() => lockFolder(join(folder, "none"))).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ code: "storage_failed" }) }),
  );
});
