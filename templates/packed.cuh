// Two complex points of FP16 at once, in the halves of two registers: of both the real parts, and
// of both the imaginary ones. Of packed points the even one of two neighbours lies in the low
// halves.

struct Halves {
  unsigned bits;
};
DEVICE Halves operator+(Halves a, Halves b) { return {add_halves(a.bits, b.bits)}; }
DEVICE Halves operator-(Halves a, Halves b) { return {subtract_halves(a.bits, b.bits)}; }
DEVICE Halves operator*(Halves a, Halves b) { return {multiply_halves(a.bits, b.bits)}; }
DEVICE Halves operator-(Halves a) { return {negate_halves(a.bits)}; }
DEVICE Halves fused_multiply_add(Halves a, Halves b, Halves c) {
  return {fused_multiply_add_halves(a.bits, b.bits, c.bits)};
}
// Both the low one, or the high one.
DEVICE Halves both_low(Halves a) { return {permuted_bytes(a.bits, a.bits, 0x1010)}; }
DEVICE Halves both_high(Halves a) { return {permuted_bytes(a.bits, a.bits, 0x3232)}; }

// A constant of the text, rounded to nearest even while it is compiled: normal in FP16, or zero.
DEVICE unsigned half_of(float value) {
  const unsigned bits = bits_of(value), magnitude = bits & 0x7fffffffu;
  const unsigned rounded = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
  return (bits >> 16 & 0x8000u) | (magnitude < 0x38800000u ? 0u : rounded);
}
DEVICE Halves constants(float low, float high) { return {half_of(low) | half_of(high) << 16}; }
DEVICE Halves operator*(Halves a, float c) { return a * constants(c, c); }
DEVICE Halves fused_multiply_add(Halves a, float c, Halves b) {
  return fused_multiply_add(a, constants(c, c), b);
}

struct alignas(8) PointPair {
  Halves x, y;
};
DEVICE PointPair make_point_pair(Halves x, Halves y) { return {x, y}; }
DEVICE PointPair make_point_pair(float x, float y) { return {constants(x, x), constants(y, y)}; }

DEVICE PointPair complex_product(PointPair a, PointPair w) {
  return {fused_multiply_add(a.x, w.x, -(a.y * w.y)), fused_multiply_add(a.x, w.y, a.y * w.x)};
}
DEVICE PointPair scaled(PointPair a, float factor) { return {a.x * factor, a.y * factor}; }
// By any number, in FP32.
DEVICE Halves widely_scaled(Halves a, float factor) {
  return {pack_halves(low_half(a.bits) * factor, high_half(a.bits) * factor)};
}
DEVICE PointPair widely_scaled(PointPair a, float factor) {
  return {widely_scaled(a.x, factor), widely_scaled(a.y, factor)};
}

// --- both halves together ------------------------------------------------------------------------
// even + w odd to the low halves, even - w odd to the high ones: w = 1, sign i, and any other.
DEVICE PointPair joined(PointPair a) {
  const Halves one = constants(1.0f, -1.0f);
  return {fused_multiply_add(both_high(a.x), one, both_low(a.x)),
          fused_multiply_add(both_high(a.y), one, both_low(a.y))};
}
template <int sign>
DEVICE PointPair joined_turned(PointPair a) {
  const Halves plus = constants(sign, -sign), minus = constants(-sign, sign);
  return {fused_multiply_add(both_high(a.y), minus, both_low(a.x)),
          fused_multiply_add(both_high(a.x), plus, both_low(a.y))};
}
template <int sign>
DEVICE PointPair joined_rotated(PointPair a, float cosine, float sine) {
  const Halves c = constants(cosine, -cosine), s = constants(sign * sine, -sign * sine),
               minus_s = constants(-sign * sine, sign * sine);
  return {
      fused_multiply_add(both_high(a.x), c,
                         fused_multiply_add(both_high(a.y), minus_s, both_low(a.x))),
      fused_multiply_add(both_high(a.y), c, fused_multiply_add(both_high(a.x), s, both_low(a.y)))};
}

// --- global memory: real and imaginary part of a point, then those of the next one ---------------
struct alignas(8) HalfPointPair {
  unsigned first, second;
};
struct HalfPoint {
  unsigned parts;
};
DEVICE PointPair by_parts(unsigned first, unsigned second) {
  return {{permuted_bytes(first, second, 0x5410)}, {permuted_bytes(first, second, 0x7632)}};
}
DEVICE unsigned low_point(PointPair a) { return permuted_bytes(a.x.bits, a.y.bits, 0x5410); }
DEVICE unsigned high_point(PointPair a) { return permuted_bytes(a.x.bits, a.y.bits, 0x7632); }

template <class Access = Always>
DEVICE PointPair load_point(const HalfPointPair* p, Access access = {}) {
  const uint2 a = load_word(reinterpret_cast<const uint2*>(p), access);
  return by_parts(a.x, a.y);
}
template <class Access = Always>
DEVICE void load_pair(const HalfPointPair* p, PointPair& first, PointPair& second,
                      Access access = {}) {
  const uint4 a = load_word(reinterpret_cast<const uint4*>(p), access);
  first = by_parts(a.x, a.y);
  second = by_parts(a.z, a.w);
}
// Between passes: as they are in registers.
template <class Access = Always>
DEVICE PointPair load_point(const PointPair* p, Access access = {}) {
  const uint2 a = load_word(reinterpret_cast<const uint2*>(p), access);
  return {{a.x}, {a.y}};
}
template <class Access = Always>
DEVICE void load_pair(const PointPair* p, PointPair& first, PointPair& second, Access access = {}) {
  const uint4 a = load_word(reinterpret_cast<const uint4*>(p), access);
  first = {{a.x}, {a.y}};
  second = {{a.z}, {a.w}};
}
template <class Access = Always>
DEVICE void store_point(PointPair* p, PointPair a, Access access = {}) {
  store_word(reinterpret_cast<uint2*>(p), make_uint2(a.x.bits, a.y.bits), access);
}
template <class Access = Always>
DEVICE void store_pair(PointPair* p, PointPair a, PointPair b, Access access = {}) {
  store_word(reinterpret_cast<uint4*>(p), make_uint4(a.x.bits, a.y.bits, b.x.bits, b.y.bits),
             access);
}
// Results lie n apart.
template <unsigned n, class Access = Always>
DEVICE void store_joined(HalfPoint* p, PointPair a, Access access = {}) {
  store_word(reinterpret_cast<unsigned*>(p), low_point(a), access);
  store_word(reinterpret_cast<unsigned*>(p + n), high_point(a), access);
}
template <unsigned n, class Access = Always>
DEVICE void store_joined_pair(HalfPoint* p, PointPair a, PointPair b, Access access = {}) {
  store_word(reinterpret_cast<uint2*>(p), make_uint2(low_point(a), low_point(b)), access);
  store_word(reinterpret_cast<uint2*>(p + n), make_uint2(high_point(a), high_point(b)), access);
}

// --- shared memory: a place has 8 bytes ----------------------------------------------------------
DEVICE PointPair* shared_point(unsigned place) {
  return reinterpret_cast<PointPair*>(dynamic_shared() + 8 * place);
}
DEVICE PointPair load_shared(const PointPair* place) {
  const uint2 a = load_shared(reinterpret_cast<const uint2*>(place));
  return {{a.x}, {a.y}};
}
DEVICE void store_shared(PointPair* place, PointPair a) {
  store_shared(reinterpret_cast<uint2*>(place), make_uint2(a.x.bits, a.y.bits));
}
// Two neighbours, 16 bytes at a time.
DEVICE void load_shared_pair(const PointPair* place, PointPair& first, PointPair& second) {
  const uint4 pair = load_shared(reinterpret_cast<const uint4*>(place));
  first = {{pair.x}, {pair.y}};
  second = {{pair.z}, {pair.w}};
}
DEVICE void store_shared_pair(PointPair* place, PointPair first, PointPair second) {
  store_shared(reinterpret_cast<uint4*>(place),
               make_uint4(first.x.bits, first.y.bits, second.x.bits, second.y.bits));
}
// Two neighbours from between passes, without waiting.
DEVICE void copy_pair(PointPair* place, const PointPair* from, bool there = true) {
  copy_async(reinterpret_cast<float4*>(place), reinterpret_cast<const float4*>(from), there);
}
// A place of another block of the cluster; the next place is 8 bytes further.
DEVICE ClusterAddress cluster_point(unsigned place, unsigned block) {
  return cluster_address(dynamic_shared() + 8 * place, block);
}
DEVICE void store_cluster(ClusterAddress place, PointPair a) {
  store_cluster(place, make_float2(float_of(a.x.bits), float_of(a.y.bits)));
}
DEVICE void store_cluster_pair(ClusterAddress place, PointPair first, PointPair second) {
  store_cluster(place, make_float4(float_of(first.x.bits), float_of(first.y.bits),
                                   float_of(second.x.bits), float_of(second.y.bits)));
}
// Real or imaginary parts alone: a place has 4 bytes.
DEVICE Halves* shared_part(unsigned place) {
  return reinterpret_cast<Halves*>(dynamic_shared() + 4 * place);
}
DEVICE Halves load_shared(const Halves* place) {
  return {load_shared(reinterpret_cast<const unsigned*>(place))};
}
DEVICE void store_shared(Halves* place, Halves a) {
  store_shared(reinterpret_cast<unsigned*>(place), a.bits);
}

// --- factors: of both halves, rounded to FP16 ----------------------------------------------------
DEVICE PointPair root_pair(float2 low, float2 high) {
  return {{pack_halves(low.x, high.x)}, {pack_halves(low.y, high.y)}};
}
// Two of a table: a unit of 16 bytes.
struct Factors {
  PointPair first, second;
};
DEVICE Factors factors_of(uint4 unit) { return {{{unit.x}, {unit.y}}, {{unit.z}, {unit.w}}}; }
