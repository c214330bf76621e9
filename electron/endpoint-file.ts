import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What another program on this machine needs in order to call; `DIR/endpoint.json`, readable by its owner only. */
export interface Endpoint {
  /** `http://127.0.0.1:PORT`, no trailing slash. */
  readonly url: string;
  readonly lmsp: string;
  readonly mcp: string;
  /** The token of the client `local`. */
  readonly token: string;
  /** A token for each client that was named at the start. */
  readonly clients: Readonly<Record<string, string>>;
  readonly pid: number;
  readonly version: string;
}

/** Written beside and renamed, so that no reader ever sees half of it. */
export function writeEndpoint(folder: string, endpoint: Endpoint): void {
  const path = join(folder, "endpoint.json");
  const draft = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  writeFileSync(draft, `${JSON.stringify(endpoint, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** Removes the file, unless another host has written its own since. */
export function removeEndpoint(folder: string, endpoint: Endpoint): void {
  const path = join(folder, "endpoint.json");
  try {
    if (JSON.parse(readFileSync(path, "utf8")).token === endpoint.token) rmSync(path);
  } catch {
    // Gone or unreadable already: nobody can be misled by it any more.
  }
}
