import { createHash } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { readGguf } from "./gguf.mjs";
import { inProject } from "./root.mjs";

const demo = inProject("assets/models/simmer-demo.gguf");
const slow = inProject(".cache/simmer-slow.gguf");

/**
 * How wide the feed-forward layers become. The rows and columns that this adds are zero, so the model says the very
 * same text; but a token costs what it costs a model of 250 MB, since zeros are read and multiplied like other numbers.
 */
const width = 51_200;

/** The path of the slow model, which is made when it is missing or of another make. On disk it is mostly holes. */
export async function slowModel() {
  const source = await readFile(demo);
  const plan = planOf(source);
  if (await isComplete(plan)) return slow;
  await mkdir(dirname(slow), { recursive: true });
  const fresh = `${slow}.new-${process.pid}`;
  try {
    await write(fresh, plan);
    await rename(fresh, slow);
  } finally {
    await rm(fresh, { force: true });
  }
  return slow;
}

/** What the file holds: `size` zeros but for the `parts`. The first part is the header, which names the source. */
function planOf(source) {
  const gguf = readGguf(source);
  gguf.setNumber("llama.feed_forward_length", width);
  gguf.addText("simmer.source_sha256", createHash("sha256").update(source).digest("hex"));
  const parts = [];
  let offset = 0;
  for (const tensor of gguf.tensors) {
    const rows = tensor.rows();
    const [columns, count] = tensor.dimensions;
    if (/ffn_(gate|up)\.weight$/.test(tensor.name)) tensor.dimensions = [columns, width];
    if (/ffn_down\.weight$/.test(tensor.name)) tensor.dimensions = [width, count];
    tensor.offset = offset;
    const rowBytes = tensor.rowBytes();
    parts.push(...rows.map((bytes, row) => ({ at: tensor.offset + row * rowBytes, bytes })));
    offset = gguf.align(offset + tensor.bytes());
  }
  const header = gguf.header();
  const shifted = parts.map(({ at, bytes }) => ({ at: header.length + at, bytes }));
  return { size: header.length + offset, parts: [{ at: 0, bytes: header }, ...shifted] };
}

async function isComplete({ size, parts: [header] }) {
  const found = await stat(slow).catch(() => undefined);
  if (found?.size !== size) return false;
  const file = await open(slow);
  try {
    const { buffer } = await file.read(Buffer.alloc(header.bytes.length), 0, header.bytes.length, 0);
    return buffer.equals(header.bytes);
  } finally {
    await file.close();
  }
}

async function write(path, { size, parts }) {
  const file = await open(path, "w");
  try {
    await file.truncate(size);
    for (const { at, bytes } of parts) await file.write(bytes, 0, bytes.length, at);
    await file.sync();
  } finally {
    await file.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await slowModel());
