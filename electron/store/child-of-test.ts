import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Runs a module of this project, given as its source, in a Node process of its own. */
const runModule = 'import { runnerImport } from "vite"; await runnerImport(process.argv[1]);';
const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Child {
  /** What it has written, line by line, from the beginning. */
  readonly lines: readonly string[];
  /** Resolves once it has written so many lines; rejects when it ends before. */
  wrote(count: number): Promise<void>;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** Its exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
}

export function startChild(module: URL, ...args: readonly string[]): Child {
  const child = spawn(process.execPath, ["--input-type=module", "-e", runModule, fileURLToPath(module), ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  return { ...linesOf(child, ended), ended, kill: () => kill(child, ended) };
}

function linesOf(child: ChildProcess, ended: Promise<unknown>): Pick<Child, "lines" | "wrote"> {
  const lines: string[] = [];
  let look = () => {};
  if (child.stdout === null) throw new Error("The child has no output");
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    look();
  });
  const wrote = async (count: number) => {
    const enough = new Promise<void>((resolve) => {
      look = () => {
        if (lines.length >= count) resolve();
      };
      look();
    });
    const tooFew = ended.then(() => {
      if (lines.length < count) throw new Error(`The child ended after ${lines.length} lines`);
    });
    await Promise.race([enough, tooFew]);
  };
  return { lines, wrote };
}

async function kill(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill("SIGKILL");
  await ended;
}
