import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
// @ts-expect-error: a script in plain JavaScript, which the set-up of a machine can run by itself.
import { mcpPeers } from "../../.scripts/mcp-peers.mjs";

export type Revision = "2025-11-25" | "2026-07-28";

const checksSchema = z.array(
  z.object({
    id: z.string(),
    status: z.enum(["SUCCESS", "FAILURE", "WARNING", "SKIPPED", "INFO"]),
    errorMessage: z.string().optional(),
  }),
);
export type Check = z.output<typeof checksSchema>[number];
/** The checks of each scenario that ran, by its name. */
export type Scenarios = ReadonlyMap<string, readonly Check[]>;

export interface SuiteRun {
  /** The suite's own verdict on what the revision requires. */
  readonly conforms: boolean;
  readonly scenarios: Scenarios;
}

/**
 * Runs the official conformance suite against a server: all that a revision of the protocol requires, and what the suite
 * runs besides. The checks are the suite's own records.
 */
export async function runSuite(url: string, revision: Revision): Promise<SuiteRun> {
  const { node, conformance } = peersSchema.parse(await mcpPeers());
  const folder = mkdtempSync(join(tmpdir(), "simmer-suite-"));
  try {
    const options = ["server", "--url", url, "--requirements", revision, "--output-dir", folder];
    const child = spawn(node, [conformance, ...options], { stdio: "ignore" });
    const [code] = await once(child, "exit");
    const scenarios = readdirSync(folder).map((name) => [scenarioOf(name), checksIn(join(folder, name))] as const);
    return { conforms: code === 0, scenarios: new Map(scenarios) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const peersSchema = z.object({ node: z.string(), conformance: z.string() });

/** Each scenario's folder is called `server-NAME-TIME`. */
function scenarioOf(folder: string): string {
  return folder.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, "");
}

function checksIn(folder: string): Check[] {
  return checksSchema.parse(JSON.parse(readFileSync(join(folder, "checks.json"), "utf8")));
}
