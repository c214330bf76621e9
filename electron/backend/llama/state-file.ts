import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { appendFile, open, rename, rm, stat } from "node:fs/promises";
import { z } from "zod";

/** What must be the same for a state to be of use; llama.cpp itself trusts the file. */
export interface StateOrigin {
  /** See `fingerprintOf`. */
  readonly model: string;
  /** In tokens. */
  readonly contextSize: number;
  /** The build of llama.cpp. */
  readonly engine: string;
}

const label = z.strictObject({
  format: z.literal(1),
  model: z.string(),
  contextSize: z.int(),
  engine: z.string(),
  stateBytes: z.int().min(0),
  /** SHA-256 of the state, lower-case hex. */
  checksum: z.string(),
});
type Label = z.output<typeof label>;

/** The last bytes of the file: the label's length, then this. */
const magic = Buffer.from("SIMMERKV");
const longestLabel = 1 << 16;

/**
 * A context's state on the disk, as llama.cpp writes it, with a label behind it: it reads no further than its own part.
 * Written beside and renamed, so that the file is whole or the one before.
 */
export async function writeStateFile(
  path: string,
  origin: StateOrigin,
  save: (path: string) => Promise<unknown>,
): Promise<void> {
  const draft = `${path}.tmp`;
  try {
    await save(draft);
    const { size: stateBytes } = await stat(draft);
    const written: Label = { format: 1, ...origin, stateBytes, checksum: await checksumOf(draft, stateBytes) };
    await appendFile(draft, labelBytes(written));
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined); // the first failure is the one to tell
    throw error;
  }
}

/** "absent", "sound", or why native code must not see the file, in words that follow on its name. */
export async function checkStateFile(path: string, origin: StateOrigin): Promise<"absent" | "sound" | { why: string }> {
  const found = await readLabel(path);
  if (found === "absent") return found;
  if (found === undefined) return { why: "is damaged: it has no label" };
  for (const key of ["model", "contextSize", "engine"] as const)
    if (found[key] !== origin[key]) return { why: `is foreign: its ${key} is another` };
  const isSound = (await checksumOf(path, found.stateBytes)) === found.checksum;
  return isSound ? "sound" : { why: "is damaged: its checksum differs" };
}

/** Keeps a file that is of no use under another name, for whoever wants to know why. */
export async function setStateAside(path: string): Promise<void> {
  await rename(path, `${path}.aside`);
}

function labelBytes(content: Label): Buffer {
  const json = Buffer.from(JSON.stringify(content));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([json, length, magic]);
}

/** Undefined when the file ends with no label that fits it. */
async function readLabel(path: string): Promise<Label | "absent" | undefined> {
  const file = await open(path).catch(ifAbsent);
  if (file === undefined) return "absent";
  try {
    const { size } = await file.stat();
    const tail = await bytesAt(file, size - magic.length - 4, magic.length + 4);
    if (tail === undefined || !tail.subarray(4).equals(magic)) return undefined;
    const length = tail.readUInt32LE();
    const start = size - tail.length - length;
    const json = length > longestLabel ? undefined : await bytesAt(file, start, length);
    const content = label.safeParse(json && parsed(json.toString()));
    return content.success && content.data.stateBytes === start ? content.data : undefined;
  } finally {
    await file.close();
  }
}

async function bytesAt(
  file: Awaited<ReturnType<typeof open>>,
  position: number,
  length: number,
): Promise<Buffer | undefined> {
  if (position < 0) return undefined;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return bytesRead === length ? buffer : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined; // the label is damaged, as its reader says
  }
}

async function checksumOf(path: string, bytes: number): Promise<string> {
  const hash = createHash("sha256");
  if (bytes > 0) for await (const chunk of createReadStream(path, { end: bytes - 1 })) hash.update(chunk);
  return hash.digest("hex");
}

function ifAbsent(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
