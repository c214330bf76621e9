interface TensorType {
  /** Elements in a block; a row is whole blocks. */
  readonly elements: number;
  readonly bytes: number;
}

const type = (elements: number, bytes: number): TensorType => ({ elements, bytes });

/**
 * The types of tensors that ggml stores, by number. Those that are missing were given up, or exist only while
 * computing: 64-bit numbers, the small integers, and the formats of intermediate results.
 */
export const tensorTypes: Readonly<Record<number, TensorType>> = {
  0: type(1, 4), // F32
  1: type(1, 2), // F16
  2: type(32, 18), // Q4_0
  3: type(32, 20), // Q4_1
  6: type(32, 22), // Q5_0
  7: type(32, 24), // Q5_1
  8: type(32, 34), // Q8_0
  10: type(256, 84), // Q2_K
  11: type(256, 110), // Q3_K
  12: type(256, 144), // Q4_K
  13: type(256, 176), // Q5_K
  14: type(256, 210), // Q6_K
  16: type(256, 66), // IQ2_XXS
  17: type(256, 74), // IQ2_XS
  18: type(256, 98), // IQ3_XXS
  19: type(256, 50), // IQ1_S
  20: type(32, 18), // IQ4_NL
  21: type(256, 110), // IQ3_S
  22: type(256, 82), // IQ2_S
  23: type(256, 136), // IQ4_XS
  26: type(1, 4), // I32
  29: type(256, 56), // IQ1_M
  30: type(1, 2), // BF16
  34: type(256, 54), // TQ1_0
  35: type(256, 66), // TQ2_0
  39: type(32, 17), // MXFP4
  40: type(64, 36), // NVFP4
  41: type(128, 18), // Q1_0
  42: type(64, 18), // Q2_0
};
