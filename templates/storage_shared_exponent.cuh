// Points between the passes of a transform whose result has parts of 16 bits: X q and Y q, with
// integers X and Y from -2047 to 2047 and the smallest power of two q that allows that. A point is
// off by q / 2 in either part, which is 2^-11 of the larger one at most, and has the range of FP32
// but for its ends: q is at least 2^-136, and what lies from 2^128 - 2^116 on counts as infinite.
//
// In memory it is one float, (2^23 + 2^11 + 2^12 |X| +- Y) q / 2^13 with the sign of X: sums in
// FP32 put the parts there, and take them apart. Infinity and NaN come out as NaN in both parts.
struct SharedExponentPoint {
  unsigned parts;
};
DEVICE void narrow(SharedExponentPoint& to, float2 a) {
  constexpr float down = 0x1p-13f;
  // A little larger: what would round to 2048 q takes the next power of two.
  const unsigned largest = bits_of(max_magnitude(a.x, a.y) * 0x1.001002p0f);
  // 2^23 + 2^11 in units of q / 2^13: a sum with it has no smaller ones.
  const unsigned base = (largest & 0x7f800000u) | 0x800u;
  const float x = fused_multiply_add(a.x, down, float_of(base)) - float_of(base);
  const float signed_base = float_of((bits_of(a.x) & 0x80000000u) | base);
  to.parts = bits_of(fused_multiply_add(a.y, down, fused_multiply_add(x, 4096.0f, signed_base)));
}
DEVICE float2 widened(SharedExponentPoint a) {
  const unsigned without_y = a.parts & 0xfffff000u;
  const float x = float_of(without_y) - float_of(a.parts & 0xff800000u);
  const float y = float_of(a.parts) - float_of(without_y | 0x800u);
  return make_float2(2 * x, 8192 * y);
}
