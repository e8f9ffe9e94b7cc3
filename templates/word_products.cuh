// Products of DFT matrices and tiles of complex FP16 words with mma.sync (sm_80 and later): one
// product in the precision of FP16, FP32 sums.
//
// In the fragments of m16n8k16 a word is two elements that follow each other along the contracted
// index, so that eight points are contracted at a time, and words in the layouts of a tile (see
// mma_phases.cpp) need no rearrangement:
//   operand:      row = 2t + i0 + 8 i1, column = g + 8 i2     (register r = i0 + 2 i1 + 4 i2)
//   accumulator:  row = g + 8 i1, column = 2t + i0 + 8 i2
// left: DFT over rows, operand -> accumulator. right: DFT over columns, accumulator -> accumulator.

// A DFT matrix of radix 16 as real matrices, in fragments. Of left products, part m + 2 s: output
// rows g + 8 m (real parts; imaginary parts below them), input rows 8 s to 8 s + 7. Of right
// products, part j: output columns 2q + j % 2 + 8 (j / 2), q = 0 to 3, two words for input columns
// 0 to 7, two for 8 to 15.
struct WordMatrix {
  uint4 part[4];
};
DEVICE WordMatrix load_word_matrix(const uint4* table) {
  WordMatrix f;
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) f.part[i] = load_table(table + 32 * i + thread_index() % 32);
  return f;
}

DEVICE Tile left_words(const WordMatrix& f, const Words& x) {
  Tile y;
#pragma unroll
  for (unsigned i2 = 0; i2 < 2; ++i2) {
#pragma unroll
    for (unsigned m = 0; m < 2; ++m) {
      float d[4] = {};
#pragma unroll
      for (unsigned s = 0; s < 2; ++s) {
        const uint4 a = f.part[m + 2 * s];
        mma_m16n8k16(d, a.x, a.y, a.z, a.w, x.at[2 * s + 4 * i2], x.at[1 + 2 * s + 4 * i2]);
      }
      y.at[2 * m + 4 * i2] = make_float2(d[0], d[2]);
      y.at[1 + 2 * m + 4 * i2] = make_float2(d[1], d[3]);
    }
  }
  return y;
}

DEVICE Tile right_words(const WordMatrix& f, const Words& x) {
  Tile y;
#pragma unroll
  for (unsigned j = 0; j < 4; ++j) {
    const uint4 b = f.part[j];
    float d[4] = {};
    mma_m16n8k16(d, x.at[0], x.at[2], x.at[1], x.at[3], b.x, b.y);
    mma_m16n8k16(d, x.at[4], x.at[6], x.at[5], x.at[7], b.z, b.w);
    const unsigned r = j % 2 + 4 * (j / 2);
    y.at[r] = make_float2(d[0], d[1]);
    y.at[r + 2] = make_float2(d[2], d[3]);
  }
  return y;
}
