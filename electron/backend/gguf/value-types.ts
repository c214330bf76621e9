interface Scalar {
  readonly bytes: number;
  read(bytes: Buffer): number;
}

const large = (value: bigint): number => Number(value);

/** GGUF's types of one number; a boolean is one too. 64-bit numbers are rounded when they are very large. */
export const scalars: Readonly<Record<number, Scalar>> = {
  0: { bytes: 1, read: (bytes) => bytes.readUInt8() },
  1: { bytes: 1, read: (bytes) => bytes.readInt8() },
  2: { bytes: 2, read: (bytes) => bytes.readUInt16LE() },
  3: { bytes: 2, read: (bytes) => bytes.readInt16LE() },
  4: { bytes: 4, read: (bytes) => bytes.readUInt32LE() },
  5: { bytes: 4, read: (bytes) => bytes.readInt32LE() },
  6: { bytes: 4, read: (bytes) => bytes.readFloatLE() },
  7: { bytes: 1, read: (bytes) => bytes.readUInt8() },
  10: { bytes: 8, read: (bytes) => large(bytes.readBigUInt64LE()) },
  11: { bytes: 8, read: (bytes) => large(bytes.readBigInt64LE()) },
  12: { bytes: 8, read: (bytes) => bytes.readDoubleLE() },
};

/** The types that the checks ask for by name. */
export const valueTypes = { u16: 2, u32: 4, i32: 5, f32: 6, text: 8, array: 9 } as const;
