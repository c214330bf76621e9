import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { describeTaskStore } from "./contract";
import { openDatabase } from "./database";
import { SqliteStore } from "./sqlite-store";

const folder = mkdtempSync(join(tmpdir(), "simmer-store-"));
let files = 0;
const open = (path: string) => new SqliteStore(openDatabase(path).database);

afterAll(() => rmSync(folder, { recursive: true }));

describeTaskStore("the SQLite store", () => {
  files += 1;
  const path = join(folder, `${files}.db`);
  let store = open(path);
  const reopen = () => {
    store.close();
    store = open(path);
    return store;
  };
  return { store, reopen };
});
