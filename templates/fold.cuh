// DFT of 16 points as two real products of 16 x 16, not four.
//
// About the centre 15/2 the cosines of a DFT are even and its sines odd in v. With e = x[v] +
// x[15-v], o = x[v] - x[15-v], v = 0 ... 7, sign -1 forward and +1 inverse,
//   X[k] = w^(15 k / 2) Z[k],  Re Z = cos e_re - sign sin o_im,  Im Z = cos e_im + sign sin o_re,
// cos and sin of 2 pi k (v - 15/2) / 16. So Z is one real matrix F = [cos, -sign sin] times two
// real vectors: (e_re, o_im) and (e_im, -o_re). fold() leaves the first in the real parts of the
// tile, the second in the imaginary parts. The factor w^(15 k / 2) is part of the twiddle.

enum class From { left, right };

// left: rows, v and 15 - v in registers r and r + 2. right: columns, r and r + 4.
template <From from>
DEVICE void fold(Tile& x) {
  constexpr unsigned other = from == From::left ? 2 : 4;
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) {
    if (r & other) continue;
    const float2 a = x.at[r], b = x.at[r + other];
    x.at[r] = make_float2(a.x + b.x, a.y + b.y);
    x.at[r + other] = make_float2(a.y - b.y, b.x - a.x);
  }
}

// The same for `scale` times the points. The products are exact (a power of two), so that the fused
// sums are those of the scaled points.
template <From from>
DEVICE void scaled_fold(Tile& x, float scale) {
  constexpr unsigned other = from == From::left ? 2 : 4;
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) {
    if (r & other) continue;
    const float2 a = x.at[r], b = make_float2(x.at[r + other].x * scale, x.at[r + other].y * scale);
    x.at[r] = make_float2(fused_multiply_add(a.x, scale, b.x), fused_multiply_add(a.y, scale, b.y));
    x.at[r + other] =
        make_float2(fused_multiply_add(a.y, scale, -b.y), fused_multiply_add(-a.x, scale, b.x));
  }
}
