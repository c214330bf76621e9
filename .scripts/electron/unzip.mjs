import { chmod, mkdir, open, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";

const inflate = promisify(inflateRaw);
const endSignature = 0x06054b50;
const deflated = 8;

/**
 * Unpacks a zip archive (below 4 GiB, no links) without a tool of the system. `targetOf` gives an entry's path under
 * `folder`, or undefined to leave it out.
 */
export async function unzip(archive, folder, targetOf) {
  const file = await open(archive);
  try {
    for (const entry of await entriesOf(file)) {
      const target = entry.name.endsWith("/") ? undefined : targetOf(entry.name);
      if (target !== undefined) await unpack(file, entry, join(folder, target));
    }
  } finally {
    await file.close();
  }
}

async function unpack(file, entry, path) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, await contentOf(file, entry));
  if (entry.mode !== 0) await chmod(path, entry.mode);
}

/** Reads the directory at the archive's end: what is in it, and where. */
async function entriesOf(file) {
  const { size } = await file.stat();
  const tail = await part(file, Math.max(0, size - 65_557), size);
  let end = tail.length - 22;
  while (end >= 0 && tail.readUInt32LE(end) !== endSignature) end -= 1;
  if (end < 0) throw new Error("The archive has no directory: it is damaged.");
  const start = tail.readUInt32LE(end + 16);
  const directory = await part(file, start, start + tail.readUInt32LE(end + 12));
  const entries = [];
  for (let at = 0; at < directory.length; ) {
    const nameLength = directory.readUInt16LE(at + 28);
    entries.push({
      method: directory.readUInt16LE(at + 10),
      packedSize: directory.readUInt32LE(at + 20),
      mode: (directory.readUInt32LE(at + 38) >>> 16) & 0o777,
      offset: directory.readUInt32LE(at + 42),
      name: directory.toString("utf8", at + 46, at + 46 + nameLength),
    });
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

async function contentOf(file, { offset, packedSize, method }) {
  const header = await part(file, offset, offset + 30);
  const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = await part(file, start, start + packedSize);
  return method === deflated ? inflate(packed) : packed;
}

async function part(file, from, to) {
  const { buffer } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer;
}
