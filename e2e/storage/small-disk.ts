import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** To map this user to root needs no rights; where user namespaces are off, root itself can do without. */
const namespaces = [["--user", "--map-root-user", "--mount"], ["--mount"]] as const;

/**
 * A disk of a few MiB, seen by the processes that are started `inside` only: a tmpfs in a namespace of its own, which
 * lasts as long as a process that holds it.
 */
export class SmallDisk implements AsyncDisposable {
  /** Its path for the processes inside. */
  readonly folder: string;
  /** Put before a command, this runs it where the disk is; the process id stays. */
  readonly inside: readonly string[];
  /** Its path for this process. */
  readonly outside: string;
  readonly #holder: ChildProcess;

  private constructor(folder: string, holder: ChildProcess, flags: readonly string[]) {
    this.folder = folder;
    this.#holder = holder;
    this.inside = ["nsenter", `--target=${holder.pid}`, "--preserve-credentials", ...flags, "--"];
    this.outside = `/proc/${holder.pid}/root${folder}`;
  }

  static async mount(mebibytes: number): Promise<SmallDisk> {
    const folder = mkdtempSync(join(tmpdir(), "simmer-disk-"));
    const script = `mount -t tmpfs -o size=${mebibytes}m,mode=0700 tmpfs '${folder}' && echo mounted && exec cat`;
    for (const flags of namespaces) {
      const holder = spawn("unshare", [...flags, "sh", "-c", script], { stdio: ["pipe", "pipe", "ignore"] });
      const [said] = await Promise.race([once(holder.stdout, "data"), once(holder, "exit")]);
      if (String(said) === "mounted\n")
        return new SmallDisk(folder, holder, flags.map((flag) => flag.replace("--map-root-user", "")).filter(Boolean));
    }
    throw new Error("This system lets nobody mount a disk for a test: allow user namespaces, or run the tests as root");
  }

  /** Runs a command of the shell inside; throws when it fails. */
  run(command: string): void {
    const [name = "", ...rest] = [...this.inside, "sh", "-c", command];
    const { status, stderr } = spawnSync(name, rest, { encoding: "utf8" });
    if (status !== 0) throw new Error(`${command}: ${stderr}`);
  }

  /** Takes all room but so many bytes. */
  fill(left = 0): void {
    const ballast = openSync(join(this.outside, "ballast"), "a");
    const kilobyte = Buffer.alloc(4_096, "x");
    try {
      for (;;) writeSync(ballast, kilobyte);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    } finally {
      closeSync(ballast);
    }
    if (left > 0) this.run(`truncate -s -${left} '${this.folder}/ballast'`);
  }

  free(): void {
    rmSync(join(this.outside, "ballast"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#holder, "exit");
    this.#holder.kill("SIGKILL");
    await gone;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
