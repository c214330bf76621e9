import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openConfStore } from "./conf-store";
import { openSettingsFile, type SettingsFile } from "./settings-file";

let folder: string;
let warnings: string[];
let file: SettingsFile;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "simmer-settings-"));
  warnings = [];
  file = openSettingsFile(folder, openConfStore, (text) => warnings.push(text));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (text: string | Uint8Array) => writeFile(join(folder, "settings.json"), text);
const text = () => readFile(join(folder, "settings.json"), "utf8");
const aside = async () => (await readdir(folder)).filter((name) => name.startsWith("settings.damaged-"));

test("a folder without a file has no settings and nothing to say", () => {
  expect(file.read()).toEqual({});
  expect(warnings).toEqual([]);
});

test("reading makes no folder: that is for its owner to make", async () => {
  const absent = join(folder, "absent");
  expect(openSettingsFile(absent, openConfStore, (text) => warnings.push(text)).read()).toEqual({});
  expect(await readdir(folder)).toEqual([]);
});

test("what is written is read again, by a later start too", () => {
  file.write("limits.queue", 7);
  file.write("models.default", null);
  const later = openSettingsFile(folder, openConfStore, (warning) => warnings.push(warning));
  expect(later.read()).toEqual({ "limits.queue": 7, "models.default": null });
  expect(warnings).toEqual([]);
});

test("a key with a dot is kept as one name, readable by hand", async () => {
  file.write("limits.queue", 7);
  expect(JSON.parse(await text())).toEqual({ "limits.queue": 7 });
});

test("writing undefined goes back to the default", () => {
  file.write("limits.queue", 7);
  file.write("limits.queue", undefined);
  expect(file.read()).toEqual({});
});

test("a value out of bounds is not written", async () => {
  file.write("limits.parallel", 2);
  expect(() => file.write("limits.parallel", 9)).toThrow(/"limits.parallel" cannot be 9; allowed is a whole number/);
  expect(file.read()).toEqual({ "limits.parallel": 2 });
});

test("a bad value and an unknown key are ignored, warned of once, and stay in the file through a write", async () => {
  await write('{"port": 70000, "colour": "red", "limits.queue": 5}');
  expect(file.read()).toEqual({ "limits.queue": 5 });
  expect(file.read()).toEqual({ "limits.queue": 5 });
  expect(warnings).toEqual([
    expect.stringContaining('"port" cannot be 70000; allowed is a whole number from 0 to 65535. This entry is ignored'),
    expect.stringContaining('there is no setting "colour". The settings are port, '),
  ]);
  file.write("limits.queue", 6);
  expect(JSON.parse(await text())).toEqual({ port: 70000, colour: "red", "limits.queue": 6 });
});

test.each([
  ["cut to nothing", ""],
  ["cut in half", '{"limits.queue": 5, "por'],
  ["filled with NUL", "\0".repeat(64)],
  ["not JSON", "port: 4517"],
  ["no object", '["port"]'],
  ["null", "null"],
])("a file that is %s is set aside byte by byte, said so, and the next write starts anew", async (_, damaged) => {
  await write(damaged);
  expect(file.read()).toEqual({});
  const [name = "", ...more] = await aside();
  expect(more).toEqual([]);
  expect(await readFile(join(folder, name), "utf8")).toBe(damaged);
  expect(warnings).toEqual([expect.stringMatching(/was damaged; it is kept as .*settings\.damaged-/)]);
  file.write("limits.queue", 6);
  expect(file.read()).toEqual({ "limits.queue": 6 });
});

test("bytes that are no text are set aside unchanged", async () => {
  const bytes = Uint8Array.of(0xff, 0xfe, 0x00, 0xc3, 0x28);
  await write(bytes);
  expect(file.read()).toEqual({});
  expect(await readFile(join(folder, (await aside())[0] ?? ""))).toEqual(Buffer.from(bytes));
});

test("a second damaged file does not replace the first one that was set aside", async () => {
  for (const damaged of ["first", "second"]) {
    await write(damaged);
    file.read();
  }
  const kept = await Promise.all((await aside()).map((name) => readFile(join(folder, name), "utf8")));
  expect(kept.sort()).toEqual(["first", "second"]);
});

test("damage found when writing is set aside too, never written over", async () => {
  await write('{"limits.queue": 5');
  file.write("port", 0);
  expect(file.read()).toEqual({ port: 0 });
  expect(await aside()).toHaveLength(1);
});

test("a byte order mark, as editors of Windows leave it, is no damage", async () => {
  await write('\uFEFF{"limits.queue": 5}');
  expect(file.read()).toEqual({ "limits.queue": 5 });
  expect(await aside()).toEqual([]);
});

test("the leftover of a write that a crash cut short changes nothing", async () => {
  file.write("limits.queue", 5);
  await writeFile(join(folder, "settings.json.tmp-1234567890abcdef"), '{"limits.que');
  expect(file.read()).toEqual({ "limits.queue": 5 });
  file.write("limits.queue", 6);
  expect(file.read()).toEqual({ "limits.queue": 6 });
});

test("a file that cannot be read leaves the defaults; a write says that it was not kept", async () => {
  await mkdir(join(folder, "settings.json"));
  expect(file.read()).toEqual({});
  expect(warnings).toEqual([
    expect.stringMatching(/settings\.json cannot be read \(.*EISDIR.*\); the defaults are used\.$/),
  ]);
  expect(() => file.write("port", 0)).toThrow(/storage_failed: The setting "port" could not be kept/);
});
