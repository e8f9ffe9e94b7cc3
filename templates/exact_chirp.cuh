// The chirp of Bluestein's algorithm (chirp.cuh) without a table: w(t) = exp(sign pi i t^2 / n) is
// t^2 modulo 2 n parts of a turn, of which there are 2 n; that remainder is exact.

// Angles: part / (2 n) of 2^64, too small by less than 2^-32 of them, rounded to 32 bits.
template <int sign, unsigned n>
DEVICE float2 exact_chirp(unsigned t) {
  const unsigned long long part = 1ull * t * t % (2ull * n);
  const unsigned turn = static_cast<unsigned>((part * (~0ull / (2ull * n)) + (1ull << 31)) >> 32);
  return unit_root(sign < 0 ? 0u - turn : turn);
}

// x w(t), or conj(x) w(t), where register r of a thread holds point t + offset[r].
template <int sign, unsigned n, bool of_conjugate, unsigned... offset, class Points>
DEVICE void times_exact_chirp(Points& x, unsigned t) {
  constexpr unsigned offsets[] = {offset...};
#pragma unroll
  for (unsigned r = 0; r < sizeof...(offset); ++r) {
    const float2 a = point(x, r);
    point(x, r) = complex_product(of_conjugate ? make_float2(a.x, -a.y) : a,
                                  exact_chirp<sign, n>(t + offsets[r]));
  }
}
