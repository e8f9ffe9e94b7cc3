// Roots of unity without a table: a turn is 2^32, so that angles are exact integers and wrap by
// themselves.

// exp(2 pi i turn / 2^32). The angle, reduced to an eighth of a turn on either side of a multiple
// of a quarter, goes into Taylor polynomials of sin(pi y / 2) and cos(pi y / 2), |y| <= 1/2, to
// degree 9 and 10; pi / 2 in two parts keeps the sine to little more than half a unit in the last
// place.
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

// exp(sign 2 pi i k column / length), one = 2^64 / length, of any length: angles have 64 bits.
template <int sign, unsigned long long one>
DEVICE float2 root_of_product(unsigned k, unsigned column) {
  const unsigned long long product = k * 1ull * column;
  const unsigned long long turn = product * (sign < 0 ? 0ull - one : one) + (1ull << 31);
  return unit_root(static_cast<unsigned>(turn >> 32));
}

// That of k - n for k beyond the middle of n.
template <unsigned n, int sign, unsigned long long one>
DEVICE float2 root_of_half(unsigned k, unsigned column) {
  const bool behind = k > n / 2;
  const float2 root = root_of_product<sign, one>(behind ? n - k : k, column);
  return make_float2(root.x, behind ? -root.y : root.y);
}
// Of that the quarters of n.
template <unsigned n>
DEVICE unsigned quarters_of_half(unsigned k) {
  const unsigned quarters = k / (n / 4) * (n / 4);
  return k > n / 2 ? quarters - n : quarters;
}

// The chirp of Bluestein's algorithm without a table: w(t) = exp(sign pi i t^2 / n) is t^2 modulo 2
// n parts of a turn, of which there are 2 n; that remainder is exact. Angles: part / (2 n) of 2^64,
// too small by less than 2^-32 of them, rounded to 32 bits.
template <int sign, unsigned n>
DEVICE float2 exact_chirp(unsigned t) {
  const unsigned long long part = 1ull * t * t % (2ull * n);
  const unsigned turn = static_cast<unsigned>((part * (~0ull / (2ull * n)) + (1ull << 31)) >> 32);
  return unit_root(sign < 0 ? 0u - turn : turn);
}
