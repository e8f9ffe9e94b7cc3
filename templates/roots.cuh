// Roots of unity without a table: a turn is 2^32, so that angles are exact integers and wrap by
// themselves.

// exp(2 pi i turn / 2^32). The angle, reduced to an eighth of a turn on either side of a multiple of
// a quarter, goes into Taylor polynomials of sin(pi y / 2) and cos(pi y / 2), |y| <= 1/2, to degree 9
// and 10; pi / 2 in two parts keeps the sine to little more than half a unit in the last place.
DEVICE float2 unit_root(unsigned turn) {
  const unsigned quarter = (turn + 0x20000000u) >> 30;
  const float y = static_cast<float>(static_cast<int>(turn - (quarter << 30))) * 0x1p-30f;
  const float z = y * y;
  float tail = fused_multiply_add(z, 0x1.507834p-13f, -0x1.32d2ccp-8f);  // (pi/2)^9/9!, ^7/7!
  tail = fused_multiply_add(z, tail, 0x1.466bc6p-4f);                    // ^5/5!
  tail = fused_multiply_add(z, tail, -0x1.4abbcep-1f);                   // ^3/3!
  const float pi_2 = 0x1.921fb6p+0f, pi_2_rest = -0x1.777a5cp-25f;
  const float correction = fused_multiply_add(z * y, tail, pi_2_rest * y);
  const float sine = fused_multiply_add(pi_2, y, correction);
  float bend = fused_multiply_add(z, -0x1.a6d1f2p-16f, 0x1.e1f506p-11f);  // (pi/2)^10/10!, ^8/8!
  bend = fused_multiply_add(z, bend, -0x1.55d3c8p-6f);                    // ^6/6!
  bend = fused_multiply_add(z, bend, 0x1.03c1f0p-2f);                     // ^4/4!
  bend = fused_multiply_add(z, bend, -0x1.3bd3ccp+0f);                    // ^2/2!
  const float cosine = fused_multiply_add(z, bend, 1.0f);
  const float re = quarter & 1u ? sine : cosine, im = quarter & 1u ? cosine : sine;
  return make_float2(float_of(bits_of(re) ^ ((quarter + 1) & 2u) << 30),
                     float_of(bits_of(im) ^ (quarter & 2u) << 30));
}

// Of each register the first one with the same part of its offset.
template <unsigned count>
struct Firsts {
  unsigned of[count] = {};
};
template <unsigned count>
DEVICE constexpr Firsts<count> first_with_same(unsigned part, const unsigned (&offsets)[count]) {
  Firsts<count> first;
  for (unsigned r = 0; r < count; ++r) {
    while ((offsets[first.of[r]] & part) != (offsets[r] & part)) ++first.of[r];
  }
  return first;
}

// The twiddle between two passes: x *= w^(k column), w = exp(sign 2 pi i / 2^log2_length), where
// register r of a thread holds k + offset[r] of a pass of 4 `quarter` points. A factor is always the
// product of two roots, that of k modulo a quarter and that of the quarters, so that it does not
// depend on which thread computes it; few of either differ within a thread. `within`: k is below a
// quarter, and so is the second root 1 where the offset is.
template <int sign, unsigned log2_length, unsigned quarter, bool within, unsigned... offset,
          class Points>
DEVICE void twiddle_between_passes(Points& x, unsigned k, unsigned column) {
  constexpr unsigned count = sizeof...(offset), rest = quarter - 1, quarters = ~rest;
  static_assert(count == PointCount<Points>::value, "one offset a point");
  constexpr unsigned offsets[] = {offset...};
  constexpr Firsts<count> same_rest = first_with_same(rest, offsets),
                          same_quarter = first_with_same(quarters, offsets);
  const unsigned step = (sign < 0 ? 0u - column : column) << (32 - log2_length);
  float2 far[count];
#pragma unroll
  for (unsigned b = 0; b < count; ++b) {
    const bool one = within && offsets[b] < quarter;
    if (same_quarter.of[b] != b || one) continue;
    far[b] = unit_root(((k & quarters) + (offsets[b] & quarters)) * step);
  }
#pragma unroll
  for (unsigned a = 0; a < count; ++a) {
    if (same_rest.of[a] != a) continue;
    const float2 near = unit_root(((k & rest) + (offsets[a] & rest)) * step);
#pragma unroll
    for (unsigned r = a; r < count; ++r) {
      if (same_rest.of[r] != a) continue;
      const bool one = within && offsets[r] < quarter;
      const float2 w = one ? near : complex_product(near, far[same_quarter.of[r]]);
      point(x, r) = complex_product(point(x, r), w);
    }
  }
}

// The same for any length: one = 2^64 / length, angles have 64 bits; register r of a thread holds
// output k + offset of column + offset, the pairs that follow each other.
template <int sign, unsigned long long one, unsigned... offset, unsigned count>
DEVICE void twiddle_between_mixed_passes(float2 (&x)[count], unsigned k, unsigned column) {
  constexpr unsigned offsets[] = {offset...};
#pragma unroll
  for (unsigned r = 0; r < sizeof...(offset) / 2; ++r) {
    const unsigned long long product = (k + offsets[2 * r]) * 1ull * (column + offsets[2 * r + 1]);
    const unsigned long long turn = product * (sign < 0 ? 0ull - one : one) + (1ull << 31);
    x[r] = complex_product(x[r], unit_root(static_cast<unsigned>(turn >> 32)));
  }
}
