import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import type { InstalledModel } from "../engine/models";
import { demo } from "./llama/test-models";
import { chooseModel, FolderModelLibrary } from "./model-library";

describe("FolderModelLibrary", () => {
  let own: string;
  let embedded: string;
  const put = (name: string, text = "no model at all") => writeFileSync(join(own, name), text);
  const ids = async (folders = [own]) => (await new FolderModelLibrary(folders).list()).map(({ id }) => id);

  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), "simmer-library-"));
    own = join(folder, "own");
    embedded = join(folder, "embedded");
    mkdirSync(own);
    mkdirSync(embedded);
  });

  afterEach(() => {
    rmSync(join(own, ".."), { recursive: true });
  });

  it("describes a model by its file", async () => {
    copyFileSync(demo, join(embedded, "simmer-demo.gguf"));
    const expected = {
      id: "simmer-demo",
      path: join(embedded, "simmer-demo.gguf"),
      sizeBytes: statSync(demo).size,
      embedded: true,
      contextLength: 4096,
    };
    const library = new FolderModelLibrary([own, embedded]);
    expect(await library.list()).toEqual([expected]);
    expect(await library.find("simmer-demo")).toEqual(expected);
    expect(await library.find("another")).toBeUndefined();
  });

  it("sorts by id, and takes the earlier folder's model of two with one id", async () => {
    put("b.gguf", "mine");
    put("a.gguf");
    writeFileSync(join(embedded, "b.gguf"), "the app's");
    writeFileSync(join(embedded, "c.gguf"), "the app's");
    const models = await new FolderModelLibrary([own, embedded]).list();
    expect(models.map(({ id, embedded: isEmbedded }) => [id, isEmbedded])).toEqual([
      ["a", false],
      ["b", false],
      ["c", true],
    ]);
    expect(models[1]?.path).toBe(join(own, "b.gguf"));
  });

  it("counts a split model once, with the size of all its parts", async () => {
    put("big-00001-of-00003.gguf", "12345");
    put("big-00002-of-00003.gguf", "123");
    put("big-00003-of-00003.gguf", "1");
    expect(await new FolderModelLibrary([own]).list()).toMatchObject([
      { id: "big", path: join(own, "big-00001-of-00003.gguf"), sizeBytes: 9 },
    ]);
  });

  it("lists a split model without its first part too: loading it says what is missing", async () => {
    put("big-00002-of-00002.gguf", "123");
    expect(await new FolderModelLibrary([own]).list()).toMatchObject([
      { id: "big", path: join(own, "big-00001-of-00002.gguf"), contextLength: null },
    ]);
  });

  it("leaves out what is no model", async () => {
    for (const name of ["mmproj-f16.gguf", "vision-mmproj.gguf", ".hidden.gguf", "notes.txt", "half.gguf.part"])
      put(name);
    mkdirSync(join(own, "folder.gguf"));
    symlinkSync(join(own, "nowhere"), join(own, "broken.gguf"));
    put("mmprojector.gguf");
    expect(await ids()).toEqual(["mmprojector"]);
  });

  it("takes a missing folder, or a file in its place, for an empty one", async () => {
    put("a.gguf");
    expect(await ids([join(own, "never made"), join(own, "a.gguf"), own])).toEqual(["a"]);
  });

  it("lists damaged files, without a context length", async () => {
    put("empty.gguf", "");
    put("text.gguf", "GGUF, but then only words");
    put("huge.gguf", `GGUF\u0003\0\0\0${"\xff".repeat(60)}`);
    const models = await new FolderModelLibrary([own]).list();
    expect(models.map(({ contextLength }) => contextLength)).toEqual([null, null, null]);
  });

  it("sees models come, go and change", async () => {
    const library = new FolderModelLibrary([own]);
    expect(await library.list()).toEqual([]);
    put("a.gguf");
    expect(await library.list()).toMatchObject([{ id: "a", contextLength: null }]);
    copyFileSync(demo, join(own, "a.gguf"));
    expect(await library.list()).toMatchObject([{ id: "a", contextLength: 4096 }]);
    rmSync(join(own, "a.gguf"));
    expect(await library.list()).toEqual([]);
  });

  it("reads a header once as long as size and time stay the same", async () => {
    const path = join(own, "a.gguf");
    copyFileSync(demo, path);
    utimesSync(path, 1_000, 1_000);
    const library = new FolderModelLibrary([own]);
    await library.list();
    writeFileSync(path, Buffer.alloc(statSync(path).size));
    utimesSync(path, 1_000, 1_000);
    expect(await library.list()).toMatchObject([{ contextLength: 4096 }]);
    utimesSync(path, 1_000, 2_000);
    expect(await library.list()).toMatchObject([{ contextLength: null }]);
  });
});

const model = (id: string, embedded = false): InstalledModel => {
  return { id, embedded, path: `/models/${id}.gguf`, sizeBytes: 1, contextLength: null };
};
const never = () => undefined;
const simmer = model("simmer-demo", true);

test("the setting decides which model is the default, installed or not", () => {
  expect(chooseModel([model("a"), model("b"), simmer], "b", never)).toBe("b");
  expect(chooseModel([simmer], "gone", never)).toBe("gone");
});

test("the only model beside the app's own is the default, else the app's own", () => {
  expect(chooseModel([model("a"), simmer], null, never)).toBe("a");
  expect(chooseModel([simmer], null, never)).toBe("simmer-demo");
  expect(chooseModel([], null, never)).toBeUndefined();
});

test("of several models the one used last is the default, else none", () => {
  const installed = [model("a"), model("b"), simmer];
  const asked: (readonly string[])[] = [];
  const lastUsed = (ids: readonly string[]) => {
    asked.push(ids);
    return "b";
  };
  expect(chooseModel(installed, null, lastUsed)).toBe("b");
  expect(asked).toEqual([["a", "b"]]);
  expect(chooseModel(installed, null, never)).toBeUndefined();
});
