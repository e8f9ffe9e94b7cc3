// DFT of 17 to 32 points as two real products of 16 x 16 for each part, with mma.sync.
//
// A tile of 8 rows and 32 columns, with g = lane / 4, t = lane % 4 and register
// r = i0 + 2 i1 + 4 i2: row g, column 2t + i0 + 8 i2, or 31 minus that where i1 is set. Columns from
// the radix on are zeros.
//
// About the centre 31/2 the cosines of a DFT are even and its sines odd, in v and in k. With e =
// x[v] + x[31-v], o = x[v] - x[31-v], v = 0 ... 15, sign -1 forward and +1 inverse,
//   X[k] = w^(31 k / 2) Z[k],  Z[k] = P[k] + T[k],  Z[radix-k] = -P[k] + T[k],  k = 0 ... radix / 2,
//   P = cos e,  Re T = -sign sin o_im,  Im T = sign sin o_re,
// cos and sin of 2 pi k (v - 31/2) / radix. fold32() leaves e and (o_im, -o_re) where their points
// were, right32() P and T at k and 16 + k, unfold32() Z[k] and Z[radix-k]. The factor w^(31 k / 2) is
// part of the twiddle. Of radix 32, T[0] = 0 leaves its row of the sines to k = 16, where P is zero.
DEVICE void fold32(Tile& x) { fold<From::left>(x); }
DEVICE void scaled_fold32(Tile& x, float scale) { scaled_fold<From::left>(x, scale); }

struct Matrix32 {
  Matrix cosines, sines;  // times -sign
};
DEVICE Matrix32 load_matrix32(const uint4* table) {
  return {load_matrix(table), load_matrix(table + 64)};
}

// The words of sums (part 0) or of differences (part 1) as fragment A: real parts first, then
// imaginary.
DEVICE FragmentA folded_columns(const unsigned (&re)[4], const unsigned (&im)[4], unsigned part) {
  return {{re[part], im[part], re[2 + part], im[2 + part]}};
}

template <unsigned products, unsigned part, unsigned half, class Halves>
DEVICE void right32_half(Product& y, const Matrix& f, const Halves& x) {
  float main[4] = {}, correction[4] = {};
  const FragmentA hi = folded_columns(x.re_hi, x.im_hi, part);
  add_right<half>(main, hi.word, f.hi);
  if constexpr (products > 1) {
    const FragmentA lo = folded_columns(x.re_lo, x.im_lo, part);
    if constexpr (products == 4) add_right<half>(correction, lo.word, f.lo);
    add_right<half>(correction, hi.word, f.lo);
    add_right<half>(correction, lo.word, f.hi);
  }
#pragma unroll
  for (unsigned i = 0; i < 2; ++i) {
    const unsigned r = i + 2 * part + 4 * half;
    y.re[r] = main[i], y.re_correction[r] = correction[i];
    y.im[r] = main[2 + i], y.im_correction[r] = correction[2 + i];
  }
}
template <unsigned products, class Halves>
DEVICE Product right32(const Matrix32& f, const Halves& x) {
  Product y;
  right32_half<products, 0, 0>(y, f.cosines, x);
  right32_half<products, 0, 1>(y, f.cosines, x);
  right32_half<products, 1, 0>(y, f.sines, x);
  right32_half<products, 1, 1>(y, f.sines, x);
  return y;
}

template <unsigned radix>
DEVICE void unfold32(Tile& x) {
  const bool has_first = thread_index() % 4 == 0;  // k = 0 in register 0
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) {
    if (r & 2) continue;
    const float2 p = x.at[r], t = x.at[r + 2];
    const bool apart = radix == 32 && r == 0 && has_first;
    x.at[r] = apart ? p : make_float2(p.x + t.x, p.y + t.y);
    x.at[r + 2] = apart ? t : make_float2(t.x - p.x, t.y - p.y);
  }
}
