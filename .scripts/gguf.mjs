/** Bytes of a scalar, per GGUF value type. */
const scalars = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };
/** Per tensor type that the demo model has: elements and bytes of a block. */
const blocks = { 0: [1, 4], 1: [1, 2], 8: [32, 34] };
const alignment = 32;

/** A sound GGUF file in memory, to be written again with changes. Knows just what the demo model needs. */
export function readGguf(file) {
  let at = 8;
  const take = (bytes) => {
    at += bytes;
    return at - bytes;
  };
  const u32 = () => file.readUInt32LE(take(4));
  const u64 = () => Number(file.readBigUInt64LE(take(8)));
  const text = () => {
    const start = take(u64());
    return file.toString("utf8", start, at);
  };
  const skip = (type) => {
    if (type === 8) text();
    else if (type === 9) skipAll(u32(), u64());
    else take(scalars[type]);
  };
  const skipAll = (type, count) => {
    for (let index = 0; index < count; index++) skip(type);
  };

  const tensorCount = u64();
  const entryCount = u64();
  const entries = Array.from({ length: entryCount }, () => {
    const start = at;
    const key = text();
    const valueAt = at + 4;
    skip(u32());
    return { key, valueAt: valueAt - start, bytes: Buffer.from(file.subarray(start, at)) };
  });
  const tensors = Array.from({ length: tensorCount }, () => {
    const name = text();
    const dimensions = Array.from({ length: u32() }, u64);
    return new Tensor(name, dimensions, u32(), u64());
  });
  const dataAt = align(at);
  for (const tensor of tensors) tensor.data = file.subarray(dataAt + tensor.offset);
  return new Gguf(entries, tensors, file.subarray(dataAt));
}

class Gguf {
  constructor(entries, tensors, data) {
    this.entries = entries;
    this.tensors = tensors;
    this.data = data;
    this.align = align;
  }

  setNumber(key, value) {
    const { bytes, valueAt } = this.entries.find((entry) => entry.key === key);
    bytes.writeUInt32LE(value, valueAt);
  }

  setText(key, value) {
    const entry = this.entries.find((one) => one.key === key);
    entry.bytes = textEntry(key, value);
  }

  addText(key, value) {
    this.entries.push({ key, bytes: textEntry(key, value) });
  }

  /** The whole file, with the tensors as they were. */
  file() {
    return Buffer.concat([this.header(), this.data]);
  }

  /** All that stands before the tensors' data, padded. */
  header() {
    const head = Buffer.concat([Buffer.from("GGUF"), u32(3), u64(this.tensors.length), u64(this.entries.length)]);
    const parts = [head, ...this.entries.map(({ bytes }) => bytes), ...this.tensors.map((tensor) => tensor.entry())];
    const bytes = Buffer.concat(parts);
    return Buffer.concat([bytes, Buffer.alloc(align(bytes.length) - bytes.length)]);
  }
}

class Tensor {
  constructor(name, dimensions, type, offset) {
    Object.assign(this, { name, dimensions, type, offset });
  }

  rowBytes() {
    const [elements, bytes] = blocks[this.type];
    return (this.dimensions[0] / elements) * bytes;
  }

  bytes() {
    return this.rowBytes() * this.#rowCount();
  }

  /** The data, cut into the rows of the present dimensions. */
  rows() {
    const size = this.rowBytes();
    return Array.from({ length: this.#rowCount() }, (_, row) => this.data.subarray(row * size, (row + 1) * size));
  }

  entry() {
    const numbers = [u32(this.dimensions.length), ...this.dimensions.map(u64), u32(this.type), u64(this.offset)];
    return Buffer.concat([textBytes(this.name), ...numbers]);
  }

  #rowCount() {
    return this.dimensions.slice(1).reduce((product, size) => product * size, 1);
  }
}

function align(position) {
  return Math.ceil(position / alignment) * alignment;
}

function u32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function textBytes(text) {
  const bytes = Buffer.from(text);
  return Buffer.concat([u64(bytes.length), bytes]);
}

function textEntry(key, value) {
  return Buffer.concat([textBytes(key), u32(8), textBytes(value)]);
}
