import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("../.scripts/demo.mjs", import.meta.url));

test("the demo prints a text that the model wrote, then its timeline, and leaves nothing behind", async () => {
  const temporary = mkdtempSync(join(tmpdir(), "simmer-e2e-"));
  try {
    const env = { ...process.env, TMPDIR: temporary };
    const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
    const [text = "", timeline = ""] = stdout.split(/\nTimeline of task_\w{26}\n/);
    expect(text).toContain("> Write a long report about bicycles.\n");
    expect(text.length).toBeGreaterThan(1_000);
    const stations = [...timeline.matchAll(/^ {2}(\w+) +(█+)? +(?:after )?[\d.]+ m?s$/gm)].map(([, status]) => status);
    expect(stations).toEqual(["queued", "loading", "running", "succeeded"]);
    expect(timeline).toMatch(/\d+ tokens by simmer-demo in [\d.]+ m?s: \d+ tokens a second\./);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are for terminals only
    expect(stdout).not.toMatch(/\x1b/);
    expect(readdirSync(temporary)).toEqual([]);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
});
