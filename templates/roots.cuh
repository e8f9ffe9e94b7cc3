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

// Registers whose offsets add up: that of a + near b is that of a and that of near b together.
template <unsigned near, unsigned count>
DEVICE constexpr bool offsets_add_up(const unsigned (&offsets)[count]) {
  for (unsigned r = 0; r < count; ++r) {
    if (offsets[r] != offsets[r % near] + offsets[r - r % near]) return false;
  }
  return true;
}

// The twiddle between two passes: x *= w^(k column), w = exp(sign 2 pi i / 2^log2_length), where
// register r of a thread holds k + offset[r]. A few roots, and products of them for the others.
template <int sign, unsigned log2_length, unsigned... offset, class Points>
DEVICE void twiddle_between_passes(Points& x, unsigned k, unsigned column) {
  constexpr unsigned count = sizeof...(offset), near = count < 4 ? count : 4;
  static_assert(count == PointCount<Points>::value, "one offset a point");
  constexpr unsigned offsets[] = {offset...};
  static_assert(offsets_add_up<near>(offsets), "offsets of binary digits");
  const unsigned step = (sign < 0 ? 0u - column : column) << (32 - log2_length);
  float2 first[near];
#pragma unroll
  for (unsigned a = 0; a < near; ++a) {
    first[a] = unit_root((k + offsets[a]) * step);
    point(x, a) = complex_product(point(x, a), first[a]);
  }
#pragma unroll
  for (unsigned far = near; far < count; far += near) {
    const float2 further = unit_root(offsets[far] * step);
#pragma unroll
    for (unsigned a = 0; a < near; ++a) {
      const float2 w = complex_product(first[a], further);
      point(x, far + a) = complex_product(point(x, far + a), w);
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
