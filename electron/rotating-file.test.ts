import {
  appendFileSync,
  chmodSync,
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
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RotatingFile } from "./rotating-file";

let folder: string;
let path: string;
let said: unknown[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "simmer-rotating-"));
  path = join(folder, "logs", "simmer.log");
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

function open(maxBytes = 100, files = 2): RotatingFile {
  return new RotatingFile({
    path,
    maxBytes,
    files,
    onTrouble: (error) => said.push(["trouble", error instanceof Error && "code" in error && error.code]),
    onRecovery: (lost) => said.push(["recovery", lost]),
  });
}

const line = (number: number) => `line ${number}\n`;
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => line(from + index)).join("");
const text = (name = "") => readFileSync(`${path}${name}`, "utf8");
const mode = (of: string) => statSync(of).mode & 0o777;

describe("a rotating file", () => {
  it("has each line as soon as it is written, in a folder of its own, for its owner alone", () => {
    const file = open();
    file.write(line(1));
    expect(text()).toBe(line(1));
    expect([mode(path), mode(join(folder, "logs"))]).toEqual([0o600, 0o700]);
    file.close();
  });

  it("takes back what others may read of an older one", () => {
    mkdirSync(join(folder, "logs"));
    writeFileSync(path, line(1));
    chmodSync(path, 0o644);
    const file = open();
    file.write(line(2));
    file.close();
    expect([mode(path), text()]).toEqual([0o600, lines(1, 2)]);
  });

  it("begins anew before it grows too large, and keeps so many older ones, without a line lost or twice", () => {
    const file = open(70, 3);
    for (let number = 10; number < 50; number += 1) file.write(line(number));
    file.close();
    const names = readdirSync(join(folder, "logs")).sort();
    expect(names).toEqual(["simmer.log", "simmer.log.1", "simmer.log.2", "simmer.log.3"]);
    const all = text(".3") + text(".2") + text(".1") + text();
    // Eight lines of eight bytes to a file.
    expect(all).toBe(lines(50 - all.length / 8, 49));
    expect(all.length).toBe(64 * 4);
  });

  it("writes a line that is larger than a file all the same", () => {
    const file = open(10, 1);
    file.write(line(1));
    file.write(`${"x".repeat(50)}\n`);
    file.write(line(2));
    file.close();
    expect([text(".1"), text()]).toEqual([`${"x".repeat(50)}\n`, line(2)]);
  });

  it("goes on where it was after a restart, also in the middle of a rotation that a crash cut short", () => {
    const first = open(20, 2);
    first.write(line(1));
    first.write(line(2));
    // Not closed: the process was killed. What it had moved already is gone from its place.
    rmSync(join(folder, "logs", "simmer.log.1"), { force: true });
    const second = open(20, 2);
    second.write(line(3));
    second.close();
    expect([text(".1"), text()]).toEqual([lines(1, 2), line(3)]);
  });

  it("does not glue a new line to one that a crash cut", () => {
    mkdirSync(join(folder, "logs"));
    writeFileSync(path, "line 1\nli");
    const file = open();
    file.write(line(2));
    file.close();
    expect(text()).toBe("line 1\nli\nline 2\n");
  });

  it("goes on in the same file when the older ones cannot be moved", () => {
    mkdirSync(join(folder, "logs"));
    mkdirSync(`${path}.1`);
    appendFileSync(join(`${path}.1`, "in-the-way"), "");
    const file = open(20, 1);
    for (let number = 1; number <= 5; number += 1) file.write(line(number));
    file.close();
    expect([text(), said]).toEqual([lines(1, 5), []]);
  });

  it("keeps the lines that cannot be written, says so once, and writes them when it can", () => {
    mkdirSync(path, { recursive: true });
    const file = open(1_000);
    for (let number = 1; number <= 3; number += 1) file.write(line(number));
    expect(said).toEqual([["trouble", "EISDIR"]]);
    rmSync(path, { recursive: true });
    file.write(line(4));
    expect([text(), said.slice(1)]).toEqual([lines(1, 4), [["recovery", 0]]]);
    file.close();
  });

  it("keeps no more than a mebibyte of them, and says how many it had to drop", () => {
    mkdirSync(path, { recursive: true });
    const file = open(100_000_000);
    const kilobyte = `${"x".repeat(1_023)}\n`;
    for (let count = 0; count < 1_030; count += 1) file.write(kilobyte);
    rmSync(path, { recursive: true });
    file.close();
    expect([text().length, said]).toEqual([
      1_048_576,
      [
        ["trouble", "EISDIR"],
        ["recovery", 6],
      ],
    ]);
  });

  it("takes nothing after it is closed, and can be closed unused and twice", () => {
    const file = open();
    file.close();
    file.write(line(1));
    file.close();
    expect(readdirSync(folder)).toEqual([]);
  });
});
