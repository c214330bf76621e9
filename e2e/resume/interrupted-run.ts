import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HostProcess } from "../host";
import { type Frame, frames, joinedText, LmspClient, outputText } from "../lmsp-client";
import { childrenOf, isGone } from "../processes";
import { slowModelFolder } from "../slow-model";

export interface Interruption {
  readonly tokens: number;
  /** Characters of the text that the client has read when the host is killed. */
  readonly killAfter: number;
  /** What happens to the state file before the host starts again. */
  readonly state: "kept" | "removed";
  /** Tasks that run at the same time. */
  readonly neighbours: number;
}

export interface Resumed {
  /** All that the client has read, over both connections. */
  readonly read: readonly Frame[];
  /** How many of them came before the kill. */
  readonly readBefore: number;
  /** The whole history, read once more at the end. */
  readonly history: readonly Frame[];
  readonly status: string;
  readonly text: string;
  readonly hadState: boolean;
}

const input = { model: "simmer-slow", input: "Write a long report about bicycles.", temperature: 0 };

/** A greedy run that nothing interrupts. */
export async function undisturbedText(tokens: number): Promise<string> {
  await using host = await HostProcess.start({ modelsDir: await slowModelFolder(), set: { "limits.parallel": 4 } });
  const lmsp = new LmspClient(host.endpoint);
  const { id } = await lmsp.create({ ...input, max_output_tokens: tokens });
  return joinedText(await lmsp.allEvents(id));
}

/** The same run, killed on its way and continued by the next host on the same folder. */
export async function interruptedRun({ tokens, killAfter, state, neighbours }: Interruption): Promise<Resumed> {
  const dataDir = mkdtempSync(join(tmpdir(), "simmer-resume-"));
  const options = { dataDir, modelsDir: await slowModelFolder(), set: { "limits.parallel": 4 } };
  try {
    const host = await HostProcess.start(options);
    const first = new LmspClient(host.endpoint);
    for (let count = 0; count < neighbours; count += 1)
      await first.create({ ...input, input: `Write a story about town ${count}.` }, { on_restart: "resume" });
    const { id } = await first.create({ ...input, max_output_tokens: tokens }, { on_restart: "resume" });
    const before = await readUntil(first, id, killAfter);
    const inference = childrenOf(host.endpoint.pid);
    await host.kill();
    for (const pid of inference) await isGone(pid);
    const hadState = stateFiles(dataDir).length > 0;
    if (state === "removed") rmSync(join(dataDir, "snapshots"), { recursive: true, force: true });

    await using next = await HostProcess.start(options);
    const lmsp = new LmspClient(next.endpoint);
    const after = await lmsp.allEvents(id, before.at(-1)?.id);
    const task = await lmsp.task(id);
    return {
      read: [...before, ...after],
      readBefore: before.length,
      history: await lmsp.allEvents(id),
      status: task.status,
      text: outputText(task),
      hadState,
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function readUntil(lmsp: LmspClient, id: string, characters: number): Promise<Frame[]> {
  const read: Frame[] = [];
  const leaving = new AbortController();
  for await (const frame of frames(await lmsp.events(id, undefined, "query", leaving.signal))) {
    read.push(frame);
    if (joinedText(read).length >= characters) break;
  }
  leaving.abort();
  return read;
}

function stateFiles(dataDir: string): string[] {
  const folder = join(dataDir, "snapshots");
  return existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".kv")) : [];
}
