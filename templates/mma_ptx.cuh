// Products of DFT matrices and split tiles with mma.sync.
//
// Layouts of a tile, with g = lane / 4, t = lane % 4 and register r = i0 + 2 i1 + 4 i2:
//   operand:      row = 2t + i0 + 8 i1, column = g + 8 i2   (fragment B)
//   accumulator:  row = g + 8 i1, column = 2t + i0 + 8 i2   (fragments A and C)
// left: DFT over rows, operand -> accumulator. right: DFT over columns, accumulator -> accumulator.
// A real 16 x 16 matrix F, hi and lo. For products from the left: the words of fragment A of F.
// From the right: two words of fragment B of its transpose for output columns 0-7, two for 8-15.
// Radix 16: the folded DFT of fold.cuh. Radix 8 and below: [cos -sin; sin cos] of eight complex
// values, of which radix r < 8 transforms 8 / r groups; radix <= 4 is exact in FP16: it has no lo,
// and takes a third part of the data instead.
struct Matrix {
  uint4 hi, lo;
};
DEVICE Matrix load_matrix(const uint4* table) {
  const unsigned lane = thread_index() % 32;
  return {load_table(table + lane), load_table(table + 32 + lane)};
}

// d += F x: x two words of fragment B.
DEVICE void add_left(float (&d)[4], const uint4& f, unsigned b0, unsigned b1) {
  mma_m16n8k16(d, f.x, f.y, f.z, f.w, b0, b1);
}
// d += x F^T, output columns 0-7 (half 0) or 8-15 (half 1): x four words of fragment A.
template <unsigned half>
DEVICE void add_right(float (&d)[4], const unsigned* a, const uint4& f) {
  mma_m16n8k16(d, a[0], a[1], a[2], a[3], half ? f.z : f.x, half ? f.w : f.y);
}

// y = F x of the real or of the imaginary parts, eight columns j at a time. `products`: hi hi; with
// 3 also lo hi and hi lo; with 4 also lo lo.
template <unsigned products>
DEVICE void left16_part(float (&y)[8], float (&y_correction)[8], const Matrix& f,
                        const unsigned (&hi)[4], const unsigned* lo) {
#pragma unroll
  for (unsigned j = 0; j < 2; ++j) {
    float main[4] = {}, correction[4] = {};
    add_left(main, f.hi, hi[2 * j], hi[2 * j + 1]);
    if constexpr (products == 4) add_left(correction, f.lo, lo[2 * j], lo[2 * j + 1]);
    if constexpr (products > 1) {
      add_left(correction, f.lo, hi[2 * j], hi[2 * j + 1]);
      add_left(correction, f.hi, lo[2 * j], lo[2 * j + 1]);
    }
#pragma unroll
    for (unsigned e = 0; e < 4; ++e) {
      y[4 * j + e] = main[e], y_correction[4 * j + e] = correction[e];
    }
  }
}
template <unsigned products, class Halves>
DEVICE Product left16(const Matrix& f, const Halves& x) {
  Product y;
  if constexpr (products == 1) {
    left16_part<1>(y.re, y.re_correction, f, x.re_hi, nullptr);
    left16_part<1>(y.im, y.im_correction, f, x.im_hi, nullptr);
  } else {
    left16_part<products>(y.re, y.re_correction, f, x.re_hi, x.re_lo);
    left16_part<products>(y.im, y.im_correction, f, x.im_hi, x.im_lo);
  }
  return y;
}

// y = x F^T of the real or of the imaginary parts, eight columns at a time.
template <unsigned products, unsigned half>
DEVICE void right16_half(float (&y)[8], float (&y_correction)[8], const Matrix& f,
                         const unsigned (&hi)[4], const unsigned* lo) {
  float main[4] = {}, correction[4] = {};
  add_right<half>(main, hi, f.hi);
  if constexpr (products == 4) add_right<half>(correction, lo, f.lo);
  if constexpr (products > 1) {
    add_right<half>(correction, hi, f.lo);
    add_right<half>(correction, lo, f.hi);
  }
#pragma unroll
  for (unsigned e = 0; e < 4; ++e) {
    y[4 * half + e] = main[e], y_correction[4 * half + e] = correction[e];
  }
}
template <unsigned products>
DEVICE void right16_part(float (&y)[8], float (&y_correction)[8], const Matrix& f,
                         const unsigned (&hi)[4], const unsigned* lo) {
  right16_half<products, 0>(y, y_correction, f, hi, lo);
  right16_half<products, 1>(y, y_correction, f, hi, lo);
}
template <unsigned products, class Halves>
DEVICE Product right16(const Matrix& f, const Halves& x) {
  Product y;
  if constexpr (products == 1) {
    right16_part<1>(y.re, y.re_correction, f, x.re_hi, nullptr);
    right16_part<1>(y.im, y.im_correction, f, x.im_hi, nullptr);
  } else {
    right16_part<products>(y.re, y.re_correction, f, x.re_hi, x.re_lo);
    right16_part<products>(y.im, y.im_correction, f, x.im_hi, x.im_lo);
  }
  return y;
}

// Eight rows h and eight columns j at a time: rows 0-7 of a fragment are real parts, 8-15
// imaginary.
template <unsigned radix, unsigned products, class Halves>
DEVICE Product left8(const Matrix& f, const Halves& x) {
  Product y;
#pragma unroll
  for (unsigned q = 0; q < 4; ++q) {  // q = h + 2 j
    float main[4] = {}, correction[4] = {};
    add_left(main, f.hi, x.re_hi[q], x.im_hi[q]);
    if constexpr (products > 1 && radix <= 4) {
      add_left(correction, f.hi, x.re_rest[q], x.im_rest[q]);
    } else if constexpr (products > 1) {
      if constexpr (products == 4) add_left(correction, f.lo, x.re_lo[q], x.im_lo[q]);
      add_left(correction, f.lo, x.re_hi[q], x.im_hi[q]);
    }
    if constexpr (products > 1) add_left(correction, f.hi, x.re_lo[q], x.im_lo[q]);
#pragma unroll
    for (unsigned i = 0; i < 2; ++i) {
      y.re[2 * q + i] = main[i], y.re_correction[2 * q + i] = correction[i];
      y.im[2 * q + i] = main[2 + i], y.im_correction[2 * q + i] = correction[2 + i];
    }
  }
  return y;
}

// The words of columns 8 h ... 8 h + 7 of a tile as fragment A: real parts first, then imaginary.
struct FragmentA {
  unsigned word[4];
};
DEVICE FragmentA half_columns(const unsigned (&re)[4], const unsigned (&im)[4], unsigned h) {
  return {{re[2 * h], re[2 * h + 1], im[2 * h], im[2 * h + 1]}};
}

// Output columns 0-7 of a product are real parts (half 0), 8-15 imaginary (half 1).
template <unsigned radix, unsigned products, unsigned half, class Halves>
DEVICE void right8_half(float (&y)[8], float (&y_correction)[8], const Matrix& f, const Halves& x) {
#pragma unroll
  for (unsigned h = 0; h < 2; ++h) {
    float main[4] = {}, correction[4] = {};
    const FragmentA hi = half_columns(x.re_hi, x.im_hi, h);
    add_right<half>(main, hi.word, f.hi);
    if constexpr (products > 1) {
      const FragmentA lo = half_columns(x.re_lo, x.im_lo, h);
      if constexpr (radix <= 4) {
        add_right<half>(correction, half_columns(x.re_rest, x.im_rest, h).word, f.hi);
      } else {
        if constexpr (products == 4) add_right<half>(correction, lo.word, f.lo);
        add_right<half>(correction, hi.word, f.lo);
      }
      add_right<half>(correction, lo.word, f.hi);
    }
#pragma unroll
    for (unsigned e = 0; e < 4; ++e) {
      y[4 * h + e] = main[e], y_correction[4 * h + e] = correction[e];
    }
  }
}
template <unsigned radix, unsigned products, class Halves>
DEVICE Product right8(const Matrix& f, const Halves& x) {
  Product y;
  right8_half<radix, products, 0>(y.re, y.re_correction, f, x);
  right8_half<radix, products, 1>(y.im, y.im_correction, f, x);
  return y;
}
