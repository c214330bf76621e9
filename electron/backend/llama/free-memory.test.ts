import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { getLlama } from "node-llama-cpp";
import { expect, it, test } from "vitest";
import { freeAddressSpace, freeMemory, keptFiles } from "./free-memory";

test("what is free is some of what there is", async () => {
  const llama = await getLlama({ build: "never", gpu: false, skipDownload: true, progressLogs: false });
  const free = await freeMemory(llama);
  expect(free.ram).toBeGreaterThan(0);
  expect(free.ram).toBeLessThan(totalmem());
  expect(free).toMatchObject({ vram: 0, isUnified: false });
  await llama.dispose();
});

test("files that the system keeps in memory for a container give way", () => {
  const version2 = "anon 100\nfile 900\ninactive_anon 1\nactive_anon 2\ninactive_file 500\nactive_file 300\nslab 7\n";
  expect(keptFiles(version2)).toBe(800);
  expect(keptFiles("cache 900\ninactive_file 500\nactive_file 300\ntotal_inactive_file 999\n")).toBe(800);
  expect(keptFiles("")).toBe(0);
});

it.runIf(process.platform === "linux")("knows the limit that a shell sets", () => {
  const read = "cat /proc/self/limits; cat /proc/self/status";
  const limited = execFileSync("sh", ["-c", `ulimit -v 1000000; ${read}`], { encoding: "utf8" });
  const space = freeAddressSpace(limited, limited);
  expect(space).toBeGreaterThan(900_000_000);
  expect(space).toBeLessThan(1_000_000 * 1_024);
  const own = readFileSync("/proc/self/limits", "utf8");
  expect(freeAddressSpace(own.replace(/^(Max address space +)\S+/m, "$1unlimited"), limited)).toBe(
    Number.POSITIVE_INFINITY,
  );
  expect(freeAddressSpace("", "")).toBe(Number.POSITIVE_INFINITY);
});
