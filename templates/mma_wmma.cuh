// Products of DFT matrices and split tiles with the portable nvcuda::wmma API (sm_70 and later).
//
// Layouts of a tile, with g = lane / 4, t = lane % 4 and register r = i0 + 2 i1 + 4 i2:
//   operand:      row = 2t + i0 + 8 i1, column = g + 8 i2
//   accumulator:  row = g + 8 i1, column = 2t + i0 + 8 i2
// left: DFT over rows, operand -> accumulator. right: DFT over columns, accumulator -> accumulator.
// What a lane holds of a wmma fragment is not documented, so that every operand and result goes
// through 2 KiB of shared memory that belongs to the warp.

// A real 16 x 16 matrix F, hi and lo, row-major, in the tables. Radix 16: the folded DFT of
// fold.cuh. Radix 8 and below: [cos -sin; sin cos] of eight complex values, of which radix r < 8
// transforms 8 / r groups; radix <= 4 is exact in FP16: it has no lo, and takes a third part of the
// data instead.
struct Matrix {
  const half *hi, *lo;
};
DEVICE Matrix load_matrix(const uint4* table) {
  const half* at = reinterpret_cast<const half*>(table);
  return {at, at + 256};
}

using FragmentA =
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major>;
using FragmentB =
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, half, nvcuda::wmma::col_major>;
using Accumulator = nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float>;

// Main sum and corrections of one 16 x 16 real result.
struct Sums {
  Accumulator main, correction;
};
DEVICE Sums no_sums() {
  Sums sums;
  nvcuda::wmma::fill_fragment(sums.main, 0.0f);
  nvcuda::wmma::fill_fragment(sums.correction, 0.0f);
  return sums;
}
// d += F x for data x on the right of F, d += x F^T for data on its left.
template <class Sum>
DEVICE void add_product(Sum& d, const half* f, const FragmentB& x) {
  FragmentA a;
  nvcuda::wmma::load_matrix_sync(a, f, 16);
  nvcuda::wmma::mma_sync(d, a, x, d);
}
template <class Sum>
DEVICE void add_product(Sum& d, const half* f, const FragmentA& x) {
  FragmentB b;
  nvcuda::wmma::load_matrix_sync(b, f, 16);
  nvcuda::wmma::mma_sync(d, x, b, d);
}

DEVICE unsigned char* staging() { return dynamic_shared() + thread_index() / 32 * 2048; }
DEVICE half* staged_half(unsigned matrix, unsigned element) {
  return reinterpret_cast<half*>(staging()) + 256 * matrix + element;
}

// Two halves that follow each other along the contracted index, to their place: data is
// column-major on the right of a matrix (left), row-major on its left (right).
template <From from>
DEVICE void stage(unsigned matrix, unsigned row, unsigned column, unsigned halves) {
  const unsigned element = from == From::left ? 16 * column + row : 16 * row + column;
  store_shared(reinterpret_cast<unsigned*>(staged_half(matrix, element)), halves);
}

// Row and column of the first point of word q in the layout before a product.
template <From from>
DEVICE uint2 place_of_word(unsigned q) {
  const unsigned g = thread_index() % 32 / 4, t = thread_index() % 4;
  return from == From::left ? make_uint2(2 * t + 8 * (q % 2), g + 8 * (q / 2))
                            : make_uint2(g + 8 * (q % 2), 2 * t + 8 * (q / 2));
}

// Re, Im of hi and of lo as four 16 x 16 matrices.
template <From from, class Halves>
DEVICE void stage16(const Halves& x) {
  warp_barrier();
#pragma unroll
  for (unsigned q = 0; q < 4; ++q) {
    const uint2 at = place_of_word<from>(q);
    stage<from>(0, at.x, at.y, x.re_hi[q]);
    stage<from>(1, at.x, at.y, x.im_hi[q]);
    if constexpr (Halves::parts > 1) {
      stage<from>(2, at.x, at.y, x.re_lo[q]);
      stage<from>(3, at.x, at.y, x.im_lo[q]);
    }
  }
  warp_barrier();
}

// Registers of `first` and `second` from a 16 x 16 result at the place in the accumulator layout.
DEVICE float staged_float(unsigned row, unsigned column) {
  return load_shared(reinterpret_cast<const float*>(staging()) + 16 * row + column);
}
DEVICE void fetch16(float (&y)[8], Accumulator& sum) {
  const unsigned g = thread_index() % 32 / 4, t = thread_index() % 4;
  warp_barrier();
  nvcuda::wmma::store_matrix_sync(reinterpret_cast<float*>(staging()), sum, 16,
                                  nvcuda::wmma::mem_row_major);
  warp_barrier();
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) {
    y[r] = staged_float(g + 8 * (r / 2 % 2), 2 * t + r % 2 + 8 * (r / 4));
  }
}

// Product of one part of the data (`m`: real 0, imaginary 1): hi hi; with 3 products also lo hi and
// hi lo; with 4 also lo lo.
template <unsigned products, class X>
DEVICE Sums sums16(const Matrix& f, unsigned m) {
  Sums sums = no_sums();
  X hi;
  nvcuda::wmma::load_matrix_sync(hi, staged_half(m, 0), 16);
  add_product(sums.main, f.hi, hi);
  if constexpr (products > 1) {
    X lo;
    nvcuda::wmma::load_matrix_sync(lo, staged_half(2 + m, 0), 16);
    if constexpr (products == 4) add_product(sums.correction, f.lo, lo);
    add_product(sums.correction, f.lo, hi), add_product(sums.correction, f.hi, lo);
  }
  return sums;
}

template <unsigned products, class X, From from, class Halves>
DEVICE Product product16(const Matrix& f, const Halves& halves) {
  stage16<from>(halves);
  Sums re = sums16<products, X>(f, 0), im = sums16<products, X>(f, 1);
  Product y;
  fetch16(y.re, re.main);
  fetch16(y.im, im.main);
  if constexpr (products > 1) {
    fetch16(y.re_correction, re.correction);
    fetch16(y.im_correction, im.correction);
  }
  return y;
}

template <unsigned products, class Halves>
DEVICE Product left16(const Matrix& f, const Halves& x) {
  return product16<products, FragmentB, From::left>(f, x);
}
template <unsigned products, class Halves>
DEVICE Product right16(const Matrix& f, const Halves& x) {
  return product16<products, FragmentA, From::right>(f, x);
}

// Half h of the rows (left) or columns (right) of hi, lo and rest: real parts first, then
// imaginary.
template <From from, class Halves>
DEVICE void stage8(const Halves& x, unsigned h) {
  warp_barrier();
#pragma unroll
  for (unsigned q = 0; q < 4; ++q) {
    if ((from == From::left ? q % 2 : q / 2) != h) continue;
    const uint2 at = place_of_word<from>(q);
    const unsigned row = from == From::left ? at.x - 8 * h : at.x;
    const unsigned column = from == From::left ? at.y : at.y - 8 * h;
    const unsigned im_row = from == From::left ? row + 8 : row;
    const unsigned im_column = from == From::left ? column : column + 8;
    stage<from>(0, row, column, x.re_hi[q]), stage<from>(0, im_row, im_column, x.im_hi[q]);
    if constexpr (Halves::parts > 1) {
      stage<from>(1, row, column, x.re_lo[q]), stage<from>(1, im_row, im_column, x.im_lo[q]);
    }
    if constexpr (Halves::parts > 2) {
      stage<from>(2, row, column, x.re_rest[q]), stage<from>(2, im_row, im_column, x.im_rest[q]);
    }
  }
  warp_barrier();
}

// The result of half h: real parts in rows (columns) 0-7, imaginary in 8-15.
template <From from>
DEVICE void fetch8(float (&re)[8], float (&im)[8], Accumulator& sum, unsigned h) {
  const unsigned g = thread_index() % 32 / 4, t = thread_index() % 4;
  warp_barrier();
  nvcuda::wmma::store_matrix_sync(reinterpret_cast<float*>(staging()), sum, 16,
                                  nvcuda::wmma::mem_row_major);
  warp_barrier();
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) {
    const unsigned i0 = r % 2, i1 = r / 2 % 2, i2 = r / 4;
    if ((from == From::left ? i1 : i2) != h) continue;
    const unsigned row = from == From::left ? g : g + 8 * i1;
    const unsigned column = from == From::left ? 2 * t + i0 + 8 * i2 : 2 * t + i0;
    re[r] = staged_float(row, column);
    im[r] = from == From::left ? staged_float(row + 8, column) : staged_float(row, column + 8);
  }
}

// Of half h; data on stage: hi, lo and, of radix <= 4, what is left.
template <unsigned radix, unsigned products, class X>
DEVICE Sums sums8(const Matrix& f) {
  Sums sums = no_sums();
  X hi;
  nvcuda::wmma::load_matrix_sync(hi, staged_half(0, 0), 16);
  add_product(sums.main, f.hi, hi);
  if constexpr (products > 1) {
    X lo;
    nvcuda::wmma::load_matrix_sync(lo, staged_half(1, 0), 16);
    if constexpr (radix <= 4) {
      X rest;
      nvcuda::wmma::load_matrix_sync(rest, staged_half(2, 0), 16);
      add_product(sums.correction, f.hi, rest);
    } else {
      if constexpr (products == 4) add_product(sums.correction, f.lo, lo);
      add_product(sums.correction, f.lo, hi);
    }
    add_product(sums.correction, f.hi, lo);
  }
  return sums;
}

template <unsigned radix, unsigned products, class X, From from, class Halves>
DEVICE Product product8(const Matrix& f, const Halves& halves) {
  Product y;
#pragma unroll
  for (unsigned h = 0; h < 2; ++h) {
    stage8<from>(halves, h);
    Sums sums = sums8<radix, products, X>(f);
    fetch8<from>(y.re, y.im, sums.main, h);
    if constexpr (products > 1) fetch8<from>(y.re_correction, y.im_correction, sums.correction, h);
  }
  return y;
}

template <unsigned radix, unsigned products, class Halves>
DEVICE Product left8(const Matrix& f, const Halves& x) {
  return product8<radix, products, FragmentB, From::left>(f, x);
}
template <unsigned radix, unsigned products, class Halves>
DEVICE Product right8(const Matrix& f, const Halves& x) {
  return product8<radix, products, FragmentA, From::right>(f, x);
}
