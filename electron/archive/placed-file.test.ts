import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { placeFile } from "./placed-file";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "simmer-placed-"));
  path = join(folder, "file");
  return () => rmSync(folder, { recursive: true });
});

const write = (text: string) => (draft: string) => writeFile(draft, text, { flag: "r+" });

test("a file is there whole, for its owner alone, and nothing is beside it", async () => {
  let seen: string[] = [];
  const result = await placeFile(path, { replace: false }, async (draft) => {
    await write("all")(draft);
    seen = readdirSync(folder);
    return 7;
  });
  expect(result).toBe(7);
  expect(seen).toEqual([expect.stringMatching(/^\.file\.[0-9a-f]+\.partial$/)]);
  expect([readdirSync(folder), readFileSync(path, "utf8")]).toEqual([["file"], "all"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("one that fails leaves nothing behind, and what was there as it was", async () => {
  writeFileSync(path, "old");
  const failing = placeFile(path, { replace: true }, async (draft) => {
    await write("ne")(draft);
    writeFileSync(`${draft}-journal`, "");
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect([readdirSync(folder), readFileSync(path, "utf8")]).toEqual([["file"], "old"]);
});

test("a file that is there is replaced only when that is asked for", async () => {
  writeFileSync(path, "old");
  await expect(placeFile(path, { replace: false }, write("new"))).rejects.toThrow("exists already");
  expect(readFileSync(path, "utf8")).toBe("old");
  await placeFile(path, { replace: true }, write("new"));
  expect([readdirSync(folder), readFileSync(path, "utf8")]).toEqual([["file"], "new"]);
});

test("one that somebody else makes in the meantime is left alone too", async () => {
  const placing = placeFile(path, { replace: false }, async (draft) => {
    await write("new")(draft);
    writeFileSync(path, "theirs");
  });
  await expect(placing).rejects.toThrow("exists already");
  expect([readdirSync(folder), readFileSync(path, "utf8")]).toEqual([["file"], "theirs"]);
});

test("where no file can be made, the reason is said", async () => {
  const missing = join(folder, "none", "file");
  await expect(placeFile(missing, { replace: false }, write(""))).rejects.toMatchObject({
    problem: { code: "storage_failed", detail: `${missing} cannot be written: there is no such file or folder.` },
  });
  mkdirSync(path);
  await expect(placeFile(path, { replace: true }, write(""))).rejects.toMatchObject({
    problem: { detail: expect.stringContaining("it is a folder") },
  });
  expect(readdirSync(folder)).toEqual(["file"]);
});
